"""The page in Debian's Chromium. A machine without it fails here: the page is not tested otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from scenes import AFTER, REPAIR, TEXT, jpeg, play, roll, violation
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from nardy_hw.web.feed import Feed
from nardy_hw.web.server import Server

SECONDS = 15
"""Long enough for a slow machine; the page itself needs some 50 ms."""
PHONE, DESKTOP = (360, 740), (1280, 800)


@pytest.fixture(scope="module")
def chromium() -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in ("headless", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "disable-background-networking"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium: webdriver.Chrome, server: Server) -> Iterator[webdriver.Chrome]:
    """The page, open and live; in the end nothing may stand on the console and nothing have been asked of others."""
    for log in ("browser", "performance"):
        chromium.get_log(log)
    size(chromium, DESKTOP)
    chromium.get(server.url)
    until(chromium, lambda: text(chromium, "#line") == "Live")
    yield chromium
    assert chromium.get_log("browser") == []
    urls = asked(chromium)
    assert server.url + "events" in urls
    assert [url for url in urls if not url.startswith(server.url)] == []
    chromium.get("about:blank")


def size(driver: webdriver.Chrome, wide_high: tuple[int, int]) -> None:
    width, height = wide_high
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def asked(driver: webdriver.Chrome) -> list[str]:
    """URLs of every request since the log was last read."""
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]


def text(driver: webdriver.Chrome, css: str) -> str:
    return str(driver.execute_script("return document.querySelector(arguments[0])?.innerText.trim() ?? ''", css))


def until(driver: webdriver.Chrome, true: Callable[[], bool]) -> None:
    WebDriverWait(driver, SECONDS, 0.05).until(lambda _: true())


def count(driver: webdriver.Chrome, css: str) -> int:
    return len(driver.find_elements(By.CSS_SELECTOR, css))


def test_a_turn_as_it_is_played(browser: webdriver.Chrome, feed: Feed) -> None:
    assert text(browser, ".state h2") == "Waiting for the roll"

    feed.push(roll())
    until(browser, lambda: text(browser, ".state h2") == "Reading")
    assert text(browser, ".seat[data-player=white] .roll") == "4-4"
    assert count(browser, ".die[data-player=white][data-die='4']") == 2

    feed.set_state("hand")
    until(browser, lambda: text(browser, ".state h2") == "Hand over the board")

    feed.push(violation())
    until(browser, lambda: text(browser, ".state h2") == "Illegal play")
    assert TEXT in text(browser, "#status .what")
    assert REPAIR in text(browser, "#status .repair")
    assert REPAIR in text(browser, "#calls li[data-code=bar_first][data-fate=open] .repair")
    assert count(browser, "rect.mark") == 2

    feed.push(play())
    until(browser, lambda: text(browser, ".state h2") == "Waiting for the roll")
    assert text(browser, ".seat[data-player=white] .play") == "4-4: bar/21 24/20 6/2(2)"
    assert text(browser, ".state .detail") == "Jonas to throw"
    assert "put right" in text(browser, "#calls li .fate")
    assert count(browser, ".arrow") == 3
    shown = {s.get_attribute("data-place"): s.get_attribute("data-count") for s in stacks(browser)}
    assert shown == {str(i + 1): str(abs(n)) for i, n in enumerate(AFTER.points) if n}


def stacks(driver: webdriver.Chrome) -> list[webdriver.remote.webelement.WebElement]:
    return driver.find_elements(By.CSS_SELECTOR, "g.stack")


def test_the_camera_picture_loads_and_follows(browser: webdriver.Chrome, feed: Feed) -> None:
    def width() -> int:
        return int(browser.execute_script("return document.querySelector('#camera img').naturalWidth"))

    assert text(browser, "#camera p") == "No picture yet."
    feed.set_picture(jpeg(64, 48))
    until(browser, lambda: width() == 64)
    assert browser.find_element(By.CSS_SELECTOR, "#camera img").is_displayed()
    assert not browser.find_element(By.CSS_SELECTOR, "#camera p").is_displayed()
    feed.set_picture(jpeg(80, 60))
    until(browser, lambda: width() == 80)


def test_the_picture_is_asked_for_only_while_it_is_seen(browser: webdriver.Chrome, feed: Feed) -> None:
    size(browser, (360, 500))
    seen = "const box = document.querySelector('#camera').getBoundingClientRect(); return box.top < innerHeight"
    until(browser, lambda: not browser.execute_script(seen))
    # what is seen is told to the page with the next frames that are drawn
    browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    feed.set_picture(jpeg())
    feed.push(roll())
    until(browser, lambda: text(browser, ".state h2") == "Reading")
    source = "return document.querySelector('#camera img').getAttribute('src')"
    assert browser.execute_script(source) is None
    browser.execute_script("document.querySelector('#camera').scrollIntoView()")
    until(browser, lambda: browser.execute_script(source) == "/camera.jpg?1")


@pytest.mark.parametrize("wide_high", [PHONE, DESKTOP, (1920, 1080)])
def test_it_fits_the_screen(browser: webdriver.Chrome, feed: Feed, wide_high: tuple[int, int]) -> None:
    size(browser, wide_high)
    feed.begin("A title that is longer than a phone is wide", feed.now.view.position.variant, ("W" * 40, "B" * 40))
    feed.push(roll())
    feed.push(play(text="24/18(2) 13/7(2)"))
    until(browser, lambda: "24/18(2)" in text(browser, ".seat[data-player=white] .play"))
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    board = browser.find_element(By.CSS_SELECTOR, "svg.board").rect
    assert board["width"] >= 0.5 * wide_high[0] * (1 if wide_high == PHONE else 0.9)
    assert board["x"] >= 0
    assert board["x"] + board["width"] <= wide_high[0]


def test_a_lost_line_is_shown_and_taken_up_again(chromium: webdriver.Chrome, server: Server, feed: Feed) -> None:
    chromium.get(server.url)
    until(chromium, lambda: text(chromium, "#line") == "Live")
    server.stop()
    until(chromium, lambda: text(chromium, "#line") == "Reconnecting…")
    feed.push(roll())
    server.start()
    until(chromium, lambda: text(chromium, "#line") == "Live")
    until(chromium, lambda: text(chromium, ".state h2") == "Reading")
    chromium.get("about:blank")


def test_names_do_not_run(browser: webdriver.Chrome, feed: Feed) -> None:
    feed.begin("Final", feed.now.view.position.variant, ("<img src=x onerror=document.title='run'>", "B"))
    until(browser, lambda: text(browser, "h1") == "Final")
    assert text(browser, ".seat[data-player=white] .name").startswith("<img")
    assert browser.title == "Final"


def test_the_boards_lights_shine_where_they_are(browser: webdriver.Chrome, feed: Feed) -> None:
    def shining() -> dict[str, str]:
        lamps = browser.find_elements(By.CSS_SELECTOR, ".lamp[visibility=visible]")
        return {lamp.get_attribute("data-light"): lamp.get_attribute("stroke") for lamp in lamps}

    assert count(browser, ".lamp") == 0  # there is no board of lights
    colours = [""] * 28
    colours[12], colours[24], colours[27] = "#a00000", "#785a00", "#191919"
    feed.set_lights(tuple(colours))
    until(browser, lambda: shining() == {"13": "#a00000", "25": "#785a00", "28": "#191919"})
    feed.push(roll())  # the board is drawn anew, and they shine on
    until(browser, lambda: text(browser, ".state h2") == "Reading")
    assert shining() == {"13": "#a00000", "25": "#785a00", "28": "#191919"}
    lamp = browser.find_element(By.CSS_SELECTOR, "[data-light='13']").rect
    points = {el.text: el.rect for el in browser.find_elements(By.CSS_SELECTOR, ".number")}
    assert lamp["x"] < points["13"]["x"] + points["13"]["width"] / 2 < lamp["x"] + lamp["width"]
    assert lamp["y"] < points["13"]["y"] + points["13"]["height"] / 2 < lamp["y"] + lamp["height"]
    feed.set_lights(("",) * 28)
    until(browser, lambda: shining() == {})
