"""What ``!llvm.loop`` says is found at the branch that it is written on."""

from analyzer.frontends.llvm.loop_hints import LoopHints, loop_hints
from analyzer.frontends.llvm.text import scan_module
from analyzer.source import Source

TEXT = """define void @f(i1 %c) {
  br label %first
first:
  br i1 %c, label %first, label %second, !llvm.loop !0
second:
  br i1 %c, label %second, label %third, !prof !9, !llvm.loop !1
third:
  br i1 %c, label %third, label %"a b", !llvm.loop !2
"a b":
  br i1 %c, label %"a b", label %end
end:
  ret void
}
!0 = distinct !{!0, !3, !4}
!1 = distinct !{!1, !5, !6, !7}
!2 = distinct !{!2, !8, !10}
!3 = !{!"llvm.loop.mustprogress"}
!4 = !{!"llvm.loop.unroll.count", i32 4}
!5 = !{!"llvm.loop.unroll.disable"}
!6 = !{!"llvm.loop.vectorize.width", i32 8}
!7 = !{!"llvm.loop.vectorize.enable", i1 true}
!8 = !{!"llvm.loop.estimated_trip_count", i32 100}
!9 = !{!"branch_weights", i32 2, i32 3}
!10 = !{!"llvm.loop.peeled.count", i32 1}
"""


def test_hints_are_those_of_the_latch():
    assert loop_hints(scan_module(Source("t.ll", TEXT))) == {
        ("f", "first"): LoopHints(unroll_count=4, finite=True),
        ("f", "second"): LoopHints(unroll="disable", vector_width=8, vectorize=True),
        ("f", "third"): LoopHints(estimated_trips=100, peeled_count=1),
    }


def test_a_module_without_loops_has_none():
    assert loop_hints(scan_module(Source("t.ll", "define void @f() {\n  ret void\n}\n"))) == {}
