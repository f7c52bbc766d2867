"""What ``!llvm.loop`` says stands at the block whose branch it is written on."""

from llvm_inputs.rendered import parsed

from warpmill.analyzer.ir.printer import print_module
from warpmill.analyzer.ir.reader import read_module

TEXT = """define ptx_kernel void @k(i1 %c, i32 %n) {
  br label %first
first:
  br i1 %c, label %first, label %second, !llvm.loop !0
second:
  br i1 %c, label %second, label %third, !prof !9, !llvm.loop !1
third:
  br i1 %c, label %third, label %fourth, !llvm.loop !2
fourth:
  switch i32 %n, label %"a b" [
    i32 1, label %fourth
  ], !llvm.loop !11
"a b":
  br i1 %c, label %"a b", label %end
end:
  ret void
}
!0 = distinct !{!0, !3, !4}
!1 = distinct !{!1, !5, !6, !7}
!2 = distinct !{!2, !8, !10, !12}
!3 = !{!"llvm.loop.mustprogress"}
!4 = !{!"llvm.loop.unroll.count", i32 4}
!5 = !{!"llvm.loop.unroll.disable"}
!6 = !{!"llvm.loop.vectorize.width", i32 8}
!7 = !{!"llvm.loop.vectorize.enable", i1 true}
!8 = !{!"llvm.loop.estimated_trip_count", i32 100}
!9 = !{!"branch_weights", i32 2, i32 3}
!10 = !{!"llvm.loop.peeled.count", i32 1}
!11 = distinct !{!11, !13, !13}
!12 = !{!"llvm.loop.vectorize.followup_all", !5}
!13 = !{!"llvm.loop.unroll.full"}
"""


def test_hints_are_those_of_the_latch():
    module = parsed(TEXT).module
    found = {block.label: block.attributes for block in module.kernels[0].blocks}
    assert found == {
        "0": (),
        "first": ("loop.mustprogress", "loop.unroll.count=4"),
        "second": ("loop.unroll.disable", "loop.vectorize.width=8", "loop.vectorize.enable=true"),
        "third": (
            "loop.estimated_trip_count=100",
            "loop.peeled.count=1",
            "loop.vectorize.followup_all",
        ),
        "fourth": ("loop.unroll.full",),
        "a b": (),
        "end": (),
    }
    assert read_module(print_module(module)) == module


def test_the_hints_of_stack_slots_promoted_stay():
    text = TEXT.replace("br label %first", "%s = alloca i32\n  br label %first", 1)
    (kernel,) = parsed(text).module.kernels
    assert kernel.blocks[1].attributes == ("loop.mustprogress", "loop.unroll.count=4")
