"""Pages in Chromium: everything is drawn, nothing is asked for, keys and themes work."""

import shutil

import pytest

from tests.commands.test_check_command import KERNEL, words
from tests.commands.test_cli_formats import COMMANDS, TIMED, VECADD
from tests.documents.test_html_report import CHARTS, HOSTILE, Told, page_with
from warpmill.cli.main import main
from warpmill.report.html import html
from warpmill.report.page import PageChart

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")

QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(html(page_with(*map(PageChart, CHARTS)), Told(name=HOSTILE)), "utf-8")
    return path


class Opened:
    """A page in the browser, with what it said and asked for."""

    def __init__(self, browser, file, **looks):
        self.page = browser.new_page(**looks)
        self.said, self.asked = [], []
        self.page.on("console", lambda told: self.said.append(told.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.page.close()

    def see_all(self):
        """Look at each chart, as each is drawn when it is seen."""
        for place in self.page.locator("figure").all():
            place.scroll_into_view_if_needed()
            playwright.expect(place.locator(".plot > *").first).to_be_attached()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 380])
def test_all_is_drawn_and_nothing_is_asked_for(browser, file, scheme, width):
    looks = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    with Opened(browser, file, **looks) as opened:
        opened.see_all()
        assert opened.said == []
        assert opened.asked == [file.as_uri()]
        page = opened.page
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        back = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, back[4:-1].split(","))) > 384) is (scheme == "light")


def test_the_theme_is_chosen_by_keyboard_and_redraws(browser, file):
    with Opened(browser, file, color_scheme="light") as opened:
        page = opened.page
        page.locator("#theme").focus()
        for wanted in ("light", "dark"):
            page.keyboard.press("Enter")
            assert page.evaluate("document.documentElement.dataset.theme") == wanted
        opened.see_all()
        assert opened.said == []


def test_a_graph_zooms_by_keys(browser, file):
    with Opened(browser, file) as opened:
        figure = opened.page.locator("figure[data-chart=graph]")
        opened.see_all()
        before = figure.screenshot()
        figure.focus()
        for _ in range(4):
            opened.page.keyboard.press("+")
        assert figure.screenshot() != before
        assert opened.said == []


def test_the_data_can_be_taken_out_of_the_page(browser, file):
    with Opened(browser, file) as opened:
        data = opened.page.evaluate(
            "JSON.parse(document.getElementById('warpmill-data').textContent)"
        )
        assert data["name"] == HOSTILE


DRAWING = (
    "analyze", "compare", "correlate", "dfsg", "estimate", "explain", "explore",
    "profile", "report", "sample", "simulate", "sweep", "tune",
)  # fmt: skip


SHOWN = {
    "tune": [
        "tune",
        *VECADD,
        "--over",
        "block=64,128,256",
        "--no-compare",
        "--no-store",
        "-m",
        "v100",
    ]
}


@pytest.mark.parametrize(
    "kind", [pytest.param(k, marks=pytest.mark.slow) if k != "report" else k for k in DRAWING]
)
def test_pages_of_commands_are_drawn_in_both_themes_wide_and_narrow(browser, kind, tmp_path):
    assert kind not in TIMED
    path = tmp_path / "page.html"
    assert main([*SHOWN.get(kind, COMMANDS[kind]), "--format", "html", "--output", str(path)]) == 0
    for width, scheme in ((1200, "light"), (380, "dark")):
        looks = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
        with Opened(browser, path, **looks) as opened:
            page = opened.page
            for fold in page.locator("details.part").all():
                fold.evaluate("one => { one.open = true; }")
            assert page.locator("figure").count() > 0
            opened.see_all()
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            missing = """() => [...document.querySelectorAll('nav a')].filter(
                (one) => !document.querySelector(one.getAttribute('href'))).length"""
            assert page.evaluate(missing) == 0
            assert opened.said == []
            assert opened.asked == [path.as_uri()]


def test_findings_are_readable_in_both_themes_wide_and_narrow(browser, tmp_path):
    kernel, path = tmp_path / "copy.ptx", tmp_path / "page.html"
    kernel.write_text(KERNEL)
    assert main([*words(kernel, 3), "--html", str(path)]) == 1
    for width, scheme in ((1200, "light"), (380, "dark")):
        looks = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
        with Opened(browser, path, **looks) as opened:
            page = opened.page
            mark = page.locator("mark")
            assert mark.inner_text() == "ld.global.u32 %r3, [%rd3]"
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            ink, back = (
                mark.evaluate(f"one => getComputedStyle(one).{name}")
                for name in ("color", "borderBottomColor")
            )
            assert ink != back
            assert (opened.said, opened.asked) == ([], [path.as_uri()])
