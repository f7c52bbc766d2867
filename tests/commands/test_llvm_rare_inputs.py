"""LLVM IR of rare kinds: an answer or a located error, and for text as for what it says."""

import pytest

from warpmill.cli.main import main

HEAD = """target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
"""
KERNEL = "define ptx_kernel void @k(ptr addrspace(1) %p, i32 %x) {\n"
RARE = {
    "cyclic metadata": (
        KERNEL + "  store i32 %x, ptr addrspace(1) %p, !foo !0\n  ret void\n}\n"
        "!0 = distinct !{!1, !0}\n!1 = !{!0, !1}\n"
    ),
    "nested constant": (
        f"@g = addrspace(1) global {'{' * 800}i32{'}' * 800} zeroinitializer\n"
        + KERNEL + "  ret void\n}\n"
    ),
    "nested address": (
        "@g = addrspace(1) global [400 x i8] zeroinitializer\n" + KERNEL + "  %v = load i8, "
        + "ptr addrspace(1) getelementptr (i8, " * 300 + "ptr addrspace(1) @g" + ", i64 1)" * 300
        + "\n  store i8 %v, ptr addrspace(1) %p\n  ret void\n}\n"
    ),
    "assembly that jumps": (
        KERNEL + '  callbr void asm sideeffect "bra $0;", "!i"() to label %a [label %b]\n'
        "a:\n  ret void\nb:\n  ret void\n}\n"
    ),
    "addresses of blocks": (
        KERNEL + "entry:\n  %c = icmp eq i32 %x, 0\n"
        "  %t = select i1 %c, ptr blockaddress(@k, %a), ptr blockaddress(@k, %b)\n"
        "  indirectbr ptr %t, [label %a, label %b]\na:\n  ret void\nb:\n  ret void\n}\n"
    ),
    "funclets": (
        "declare i32 @pers(...)\ndeclare void @thrower()\n"
        + KERNEL.replace(" {", " personality ptr @pers {")
        + "  invoke void @thrower() to label %a unwind label %b\na:\n  ret void\n"
        "b:\n  %s = catchswitch within none [label %h] unwind to caller\n"
        "h:\n  %q = catchpad within %s [ptr null, i32 64, ptr null]\n"
        "  catchret from %q to label %a\n"
        "}\n"
    ),
    "no kernel": "@g = global i32 0\n",
    "a struct in itself": (
        "%a = type { %b }\n%b = type { %a }\n" + KERNEL
        + "  %g = getelementptr %a, ptr addrspace(1) %p, i64 1\n  ret void\n}\n"
    ),
    "constructors": (
        "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] "
        "[{ i32, ptr, ptr } { i32 65535, ptr @init, ptr null }]\n"
        "define internal void @init() {\n  ret void\n}\n" + KERNEL + "  ret void\n}\n"
    ),
}  # fmt: skip
REFUSED = {
    "no kernel": "k.ll: error: there is no kernel",
    "a struct in itself": "k.ll:5:1: error: ",
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", RARE)
def test_rare_kinds_are_read_or_refused_in_words(kind, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.ll").write_text(HEAD + RARE[kind])
    given = ["--grid", "1", "--block", "32", "--arg", "buffer=i32:64", "--arg", "1"]
    for words in (["inspect"], ["analyze"], ["trace", *given], ["estimate", *given, "-m", "a100"]):
        code = main([words[0], "k.ll", *words[1:]])
        said = capsys.readouterr().err
        assert code == (2 if kind in REFUSED else 0), said
        assert REFUSED.get(kind, "") in said, said


@pytest.mark.parametrize(("part", "space", "bits"), [("p:71:64", 0, 71), ("p1:128:64", 1, 128)])
def test_pointers_have_the_bits_of_gpus(part, space, bits, tmp_path, capsys):
    path = tmp_path / "k.ll"
    head = HEAD.replace("e-i64:64", f"e-{part}-i64:64")
    path.write_text(head + KERNEL + "  store i32 %x, ptr addrspace(1) %p\n  ret void\n}\n")
    assert main(["inspect", str(path)]) == 2
    told = f"{path}:1:1: error: pointers of address space {space} have {bits} bits"
    assert told in capsys.readouterr().err
