"""Formats as other public scanners describe them, most of them not written for our kinds.

Each line is a name and the shape of a value, as those projects' own tests assign one to the
other. Values are made here.
"""

from __future__ import annotations

from collections import Counter

from agent_memory import secrets
from unit.secrets.generate import Maker

FORMATS = """
adafruit_api_key {lan:32}
adobe_client_secret p8e-{lan:32}
algolia_api_key {lan:32}
alibaba_secret_key {lan:30}
asana_client_secret {lan:32}
atlassian_api_token {lan:20}{hex:4}
beamer_api_token b_{lan:44}
bitbucket_client_secret {lan:64}
bittrex_secret_key {lan:32}
cisco_meraki_api_key {hex:40}
cloudflare_api_key {lan:40}
codecov_access_token {lan:32}
cohere_api_token {an:40}
coinbase_access_token {lan:64}
confluent_secret_key {lan:64}
contentful_delivery_api_token {lan:43}
datadog_access_token {lan:40}
discord_api_token {hex:64}
droneci_access_token {lan:32}
duffel_api_token duffel_test_{lan:43}
etsy_access_token {lan:24}
facebook_secret {hex:32}
fastly_api_token {lan:32}
finicity_api_token {hex:32}
finnhub_access_token {lan:20}
flickr_access_token {lan:32}
freshbooks_access_token {lan:64}
gitter_access_token {lan:40}
gocardless_api_token live_{lan:40}
heroku_api_key {uuid}
intercom_api_key {lan:60}
jfrog_identity_token {lan:64}
kraken_access_token {b64:80}
kucoin_access_token {hex:24}
launchdarkly_access_token {lan:40}
linear_client_secret {hex:32}
linkedin_client_secret {lan:16}
lob_api_key test_{hex:35}
mailchimp_api_key {hex:32}-us20
mailgun_signing_key {hex:32}-{hex:8}-{hex:8}
mattermost_access_token {lan:26}
messagebird_api_token {lan:25}
netlify_access_token {lan:40}
new_relic_user_api_key NRAK-{uan:27}
new_relic_license_key {lan:64}
nytimes_access_token {lan:32}
okta_access_token 00{an:40}
plaid_secret_key {lan:30}
plaid_api_token access-sandbox-{uuid}
private_ai_api_token {lan:32}
rapidapi_access_token {lan:50}
sendbird_access_token {hex:40}
sentry_access_token {hex:64}
snyk_api_token {uuid}
sonar_api_token {lan:40}
squarespace_access_token {uuid}
sumologic_access_token {lan:64}
travis_access_token {lan:22}
twitch_api_token {lan:30}
twitter_access_secret {lan:45}
twitter_api_secret {lan:50}
typeform_api_token tfp_{lan:59}
yandex_aws_access_token YC{an:38}
zendesk_secret_key {lan:40}
""".strip().splitlines()
ASSIGNMENTS = ('{} = "{}"', "{}={}", "- {}: `{}`", '"{}": "{}",')


def test_at_least_nine_of_ten_values_in_other_formats_are_found():
    maker = Maker("elsewhere")
    missed: Counter[str] = Counter()
    total = 0
    for line in FORMATS:
        name, spec = line.split(" ", 1)
        for form in ASSIGNMENTS:
            for _ in range(3):
                total += 1
                missed[name] += not secrets.find(form.format(name, maker.make(spec)))
    assert 1 - missed.total() / total >= 0.9, missed.most_common(8)
