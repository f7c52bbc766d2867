"""``inrange`` before an index, as LLVM 18 and older printed it, is left out in place."""

import pytest
from llvm_inputs.rendered import parsed, rendered

from warpmill.analyzer.base.diagnostics import InputError, Source
from warpmill.analyzer.frontends.llvm import parse
from warpmill.analyzer.frontends.llvm.module import without_inrange
from warpmill.analyzer.ir.kernel import Symbol

HEAD = 'target triple = "nvptx64-nvidia-cuda"\n'
OPAQUE = HEAD + (
    """@_ZTV1D = linkonce_odr constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr @g] }
define internal i32 @g(ptr %this, i32 %x) {
  ret i32 %x
}
define ptx_kernel void @k(ptr %o) {
  store ptr getelementptr inbounds ({ [3 x ptr] }, ptr @_ZTV1D, i64 0, inrange i32 0, i64 2), ptr %o
  ret void
}
"""
)
TYPED = HEAD + (
    """@_ZTV1D = linkonce_odr constant { [3 x i8*] } { [3 x i8*] [i8* null, i8* null, i8* bitcast (i32 (i8*, i32)* @g to i8*)] }
define internal i32 @g(i8* %this, i32 %x) {
  ret i32 %x
}
define ptx_kernel void @k(i32 (...)*** %o) {
  store i32 (...)** bitcast (i8** getelementptr inbounds ({ [3 x i8*] }, { [3 x i8*] }* @_ZTV1D, i64 0, inrange i32 0, i64 2) to i32 (...)**), i32 (...)*** %o
  ret void
}
"""  # noqa: E501 - as the compiler prints it
)


@pytest.mark.parametrize("text", [OPAQUE, TYPED], ids=["opaque", "typed"])
def test_a_table_of_functions_is_read(text):
    result = parsed(text)
    assert result.diagnostics == ()
    (table,) = result.module.variables
    assert table.initialiser == (*[0] * 16, Symbol("g"))
    assert rendered(result.module.kernels[0])[0] == "cvta.global.u64 %.t1, &_ZTV1D+16"


def test_places_stay_those_of_the_file():
    text = OPAQUE.replace("i64 2), ptr %o", "i64 2), ptr %none")
    with pytest.raises(InputError) as caught:
        parse(Source("t.ll", text))
    (diagnostic,) = caught.value.diagnostics
    line = next(n for n, each in enumerate(text.split("\n"), 1) if "%none" in each)
    column = text.split("\n")[line - 1].index("%none") + 1
    assert (diagnostic.span.line, diagnostic.span.column) == (line, column)


@pytest.mark.parametrize(
    "text",
    [
        "%r = add i32 %inrange, 1",
        'call void asm "x, inrange i32 0", ""()',
        "  ret void ; i64 0, inrange i32 0",
        "getelementptr inbounds inrange(-16, 8) ({ [3 x ptr] }, ptr @t, i64 0, i32 0, i64 2)",
    ],
)
def test_other_text_stays_as_it_is(text):
    source = Source("t.ll", text)
    assert without_inrange(source) is source
