"""What would help, and what is kept where the platform has changed: asked from a job's page."""

import pytest

from steadygrid.kinds import PROBLEMS
from tests.browser.visits import Visit, expect
from tests.pages.site import HOSTILE, star

pytestmark = pytest.mark.browser

BODY = PROBLEMS["master_worker"].example


def test_what_would_help_is_asked_followed_and_proved(visit: Visit) -> None:
    page = visit.page
    visit.go(visit.solved(BODY) + "/what-if")
    factor = page.get_by_label("How many times faster")
    factor.fill("1/2")
    with visit.refused(422):
        page.get_by_role("button", name="Ask what would help").click()
        fault = page.locator("form[data-to='/sweeps'] .faults button")
        expect(fault).to_have_text("How many times faster")
    fault.click()
    expect(factor).to_be_focused()
    factor.fill("2")
    page.get_by_role("button", name="Ask what would help").click()
    expect(page.locator("#the-answer")).to_have_attribute("data-state", "succeeded")
    expect(page.locator("#best")).to_contain_text(
        "P1.compute, 2 times as fast, brings 4.8 % more throughput"
    )
    expect(page.locator("#best")).to_contain_text("Nothing else that is listed brings more")
    listed = page.locator(".upgrades tbody tr")
    expect(listed).to_have_count(2)
    expect(listed.nth(1)).to_contain_text("at most 95 % more")
    expect(listed.nth(0)).to_contain_text("at most 4.8 % more")


def test_a_replan_is_asked_with_faults_at_their_fields(visit: Visit) -> None:
    page = visit.page
    visit.go(visit.solved(star(HOSTILE, name=HOSTILE[0])) + "/changes")
    link = page.get_by_label(f"measured bandwidth of M \u2194 {HOSTILE[1]}", exact=True)
    speed = page.get_by_label(f"measured speed of {HOSTILE[0]}", exact=True)
    link.fill("fast")
    with visit.refused(422):
        page.get_by_role("button", name="Ask what is kept").click()
        expect(link).to_have_attribute("aria-invalid", "true")
    expect(speed).not_to_have_attribute("aria-invalid", "true")
    link.fill("")
    speed.fill("1/2")
    page.get_by_label("The values are factors").check()
    page.get_by_role("button", name="Ask what is kept").click()
    expect(page.locator("#the-answer")).to_have_attribute("data-state", "succeeded")
    expect(page.locator("#the-answer .answer")).to_have_text("Change to the new schedule.")
    kept = page.locator("section[aria-labelledby=kept] tbody tr")
    expect(kept.nth(1)).to_contain_text("411/1000")
    expect(kept.nth(1)).to_contain_text("53.2 %")
    assert page.locator("main script, [onerror], img[src=x]").count() == 0
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Delete it for ever").click()
    expect(page).to_have_url(f"{visit.base}/replans")
