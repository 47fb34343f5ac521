// Secrets made up by a seed, in the surroundings in which people leave them. None of them was ever valid.

import type { Random } from '../random.ts'

export interface Planted {
  readonly kind: string
  readonly secret: string
  readonly text: string
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
const ALNUM = LOWER + UPPER + DIGITS
const HEX = '0123456789abcdef'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const URL64 = `${ALNUM}-_`
const BASE64 = `${ALNUM}+/`

type Make = (random: Random) => string

const some = (random: Random, letters: string, count: number): string =>
  Array.from({ length: count }, () => letters.charAt(random.below(letters.length))).join('')
/** `ghp_{36}`: a prefix and so many of some letters. */
const of =
  (before: string, letters: string, count: number, behind = ''): Make =>
  (random) =>
    before + some(random, letters, count) + behind
const uuid: Make = (random) => [8, 4, 4, 4, 12].map((count) => some(random, HEX, count)).join('-')
const base64Of = (text: string): string => Buffer.from(text).toString('base64')
const url64Of = (text: string): string => Buffer.from(text).toString('base64url')
const password: Make = (random) =>
  `${some(random, UPPER, 1)}${some(random, LOWER, 4)}${some(random, DIGITS, 3)}${random.pick(['!', '#', '-', '_', '.'])}${some(random, ALNUM, 4)}`

const PLACES: readonly string[] = [
  'the key is {} and it works now',
  'export SOMETHING="{}"',
  'curl -H "X-Thing: {}" https://tide.ada.dev/v1',
  '{"command":"deploy --with {}","ok":true}',
  '  12→const client = connect("{}")',
  '{}',
  'error: request with {} was refused\nretrying',
  '- thing: {}\n- other: 12',
  '<b>{}</b>',
  'https://tide.ada.dev/hook?x={}&y=1',
]

/** Tokens that are known by their form, wherever they stand. */
const FORMS: Readonly<Record<string, Make>> = {
  'github-ghp': of('ghp_', ALNUM, 36),
  'github-gho': of('gho_', ALNUM, 36),
  'github-ghs': of('ghs_', ALNUM, 36),
  'github-ghr': of('ghr_', ALNUM, 76),
  'github-pat': (random) => `github_pat_${some(random, ALNUM, 22)}_${some(random, ALNUM, 59)}`,
  'gitlab-pat': of('glpat-', URL64, 20),
  'gitlab-deploy': of('gldt-', URL64, 20),
  'gitlab-runner': of('glrt-', URL64, 20),
  anthropic: of('sk-ant-api03-', URL64, 93, 'AA'),
  'anthropic-oauth': of('sk-ant-oat01-', URL64, 90),
  openai: of('sk-', ALNUM, 48),
  'openai-project': of('sk-proj-', URL64, 120),
  openrouter: of('sk-or-v1-', HEX, 64),
  google: of('AIza', URL64, 35),
  'google-oauth': of('ya29.', URL64, 120),
  'google-client-secret': of('GOCSPX-', URL64, 28),
  'aws-access-key': of('AKIA', BASE32, 16),
  'aws-session': of('IQoJb3JpZ2lu', BASE64, 300),
  'slack-bot': (random) => `xoxb-${some(random, DIGITS, 12)}-${some(random, DIGITS, 13)}-${some(random, ALNUM, 24)}`,
  'slack-user': (random) => `xoxp-${some(random, DIGITS, 12)}-${some(random, DIGITS, 12)}-${some(random, HEX, 32)}`,
  'slack-app': (random) =>
    `xapp-1-A${some(random, UPPER + DIGITS, 10)}-${some(random, DIGITS, 13)}-${some(random, HEX, 64)}`,
  stripe: of('sk_live_', ALNUM, 24),
  'stripe-restricted': of('rk_live_', ALNUM, 99),
  'stripe-webhook': of('whsec_', ALNUM, 32),
  'twilio-key': of('SK', HEX, 32),
  sendgrid: (random) => `SG.${some(random, URL64, 22)}.${some(random, URL64, 43)}`,
  mailgun: of('key-', HEX, 32),
  mailchimp: (random) => `${some(random, HEX, 32)}-us${1 + random.below(20)}`,
  npm: of('npm_', ALNUM, 36),
  pypi: of('pypi-AgEIcHlwaS5vcmc', URL64, 150),
  rubygems: of('rubygems_', HEX, 48),
  crates: of('cio', ALNUM, 32),
  nuget: of('oy2', LOWER + DIGITS, 43),
  docker: of('dckr_pat_', URL64, 27),
  vault: of('hvs.', URL64, 95),
  terraform: (random) => `${some(random, ALNUM, 14)}.atlasv1.${some(random, URL64, 67)}`,
  digitalocean: of('dop_v1_', HEX, 64),
  'new-relic': of('NRAK-', UPPER + DIGITS, 27),
  grafana: (random) => `glsa_${some(random, ALNUM, 32)}_${some(random, HEX, 8)}`,
  sentry: of('sntrys_', `${ALNUM}+/`, 120),
  linear: of('lin_api_', ALNUM, 40),
  notion: of('ntn_', ALNUM, 46),
  'notion-old': of('secret_', ALNUM, 43),
  airtable: (random) => `pat${some(random, ALNUM, 14)}.${some(random, HEX, 64)}`,
  atlassian: of('ATATT3xFfGF0', URL64, 180),
  bitbucket: of('ATBB', ALNUM, 32),
  figma: of('figd_', URL64, 40),
  shopify: of('shpat_', HEX, 32),
  'shopify-shared': of('shpss_', HEX, 32),
  square: of('sq0atp-', URL64, 22),
  braintree: (random) => `access_token$production$${some(random, LOWER + DIGITS, 16)}$${some(random, HEX, 32)}`,
  discord: (random) =>
    `${url64Of(`9${some(random, DIGITS, 17)}`)}.${some(random, URL64, 6)}.${some(random, URL64, 38)}`,
  telegram: (random) => `${1 + random.below(9)}${some(random, DIGITS, 9)}:AA${some(random, URL64, 33)}`,
  huggingface: of('hf_', ALNUM, 34),
  replicate: of('r8_', ALNUM, 37),
  groq: of('gsk_', ALNUM, 52),
  perplexity: of('pplx-', ALNUM, 48),
  xai: of('xai-', ALNUM, 80),
  databricks: of('dapi', HEX, 32),
  supabase: of('sbp_', HEX, 40),
  planetscale: of('pscale_tkn_', URL64, 43),
  netlify: of('nfp_', ALNUM, 36),
  fly: of('FlyV1 fm2_', BASE64, 160),
  doppler: of('dp.pt.', ALNUM, 43),
  onepassword: (random) => `ops_${url64Of(JSON.stringify({ email: 'ada', key: some(random, ALNUM, 120) }))}`,
  age: of('AGE-SECRET-KEY-1', UPPER + DIGITS, 58),
  jwt: (random) =>
    `${url64Of('{"alg":"HS256","typ":"JWT"}')}.${url64Of(`{"sub":"${some(random, DIGITS, 10)}","name":"ada"}`)}.${some(random, URL64, 43)}`,
  bcrypt: of('$2b$12$', `${ALNUM}./`, 53),
  postman: (random) => `PMAK-${some(random, HEX, 24)}-${some(random, HEX, 34)}`,
  tailscale: (random) => `tskey-auth-${some(random, ALNUM, 16)}-${some(random, ALNUM, 32)}`,
  pulumi: of('pul-', HEX, 40),
  alibaba: of('LTAI', ALNUM, 20),
  vercel: of('vcp_', ALNUM, 56),
  asana: (random) => `1/${some(random, DIGITS, 16)}:${some(random, HEX, 32)}`,
}

/** Secrets that only their surroundings tell: `{}` is where they stand. */
const NAMED: Readonly<Record<string, readonly [Make, ...string[]]>> = {
  'aws-secret-key': [
    of('', BASE64, 40),
    'aws_secret_access_key = {}',
    'AWS_SECRET_ACCESS_KEY={}',
    '"SecretAccessKey": "{}"',
  ],
  'azure-storage': [
    of('', BASE64, 86, '=='),
    'DefaultEndpointsProtocol=https;AccountName=tide;AccountKey={};EndpointSuffix=core.windows.net',
  ],
  'azure-sas': [of('', ALNUM, 43), 'https://tide.blob.core.windows.net/x?sv=2024-11-04&sig={}&se=2027'],
  'azure-client-secret': [
    (random) => `${some(random, ALNUM, 3)}8Q~${some(random, URL64, 34)}`,
    'AZURE_CLIENT_SECRET={}',
    'the value is {} ok',
  ],
  heroku: [uuid, 'HEROKU_API_KEY={}', '"heroku_api_key": "{}"'],
  cloudflare: [of('', URL64, 40), 'CLOUDFLARE_API_TOKEN={}', 'CF_API_KEY: "{}"'],
  datadog: [of('', HEX, 32), 'DD_API_KEY={}', 'datadog_api_key: "{}"'],
  'vercel-old': [of('', ALNUM, 24), 'VERCEL_TOKEN={}', 'vercel deploy --token {}'],
  snowflake: [password, 'SNOWFLAKE_PASSWORD={}', 'snowflake.connect(user="ada", password="{}")'],
  'twilio-auth-token': [of('', HEX, 32), 'TWILIO_AUTH_TOKEN={}', 'twilioAuthToken: "{}"'],
  'slack-webhook': [
    (random) => `T${some(random, UPPER + DIGITS, 8)}/B${some(random, UPPER + DIGITS, 10)}/${some(random, ALNUM, 24)}`,
    'https://hooks.slack.com/services/{}',
  ],
  'discord-webhook': [of('', URL64, 68), 'https://discord.com/api/webhooks/123456789012345678/{}'],
  'npm-auth': [uuid, '//npm.ada.dev/:_authToken={}'],
  'sentry-dsn': [of('', HEX, 32), 'dsn: "https://{}@o123.ingest.sentry.io/4505"'],
  'url-password': [password, 'https://ada:{}@tide.ada.dev/x', 'git clone https://ada:{}@git.ada.dev/tide.git'],
  postgres: [password, 'DATABASE_URL=postgres://ada:{}@db.ada.dev:5432/tide'],
  mysql: [password, 'mysql://ada:{}@localhost/tide'],
  mongodb: [password, 'mongodb+srv://ada:{}@cluster0.ada.mongodb.net/?retryWrites=true'],
  redis: [password, 'redis://:{}@cache:6379/0'],
  amqp: [password, 'amqp://ada:{}@queue:5672/v'],
  bearer: [of('', ALNUM, 40), 'Authorization: Bearer {}', "fetch(url, { headers: { authorization: 'Bearer {}' } })"],
  basic: [(random) => base64Of(`ada:${password(random)}`), 'Authorization: Basic {}'],
  cookie: [of('', URL64, 64), 'Cookie: theme=dark; session={}', 'Set-Cookie: connect.sid={}; HttpOnly'],
  'password-env': [password, 'DB_PASSWORD={}', 'export PGPASSWORD={}', 'ADMIN_PASSWD={}'],
  'password-json': [password, '{"user":"ada","password":"{}"}', '{ "pwd": "{}" }'],
  'password-yaml': [password, 'db:\n  user: ada\n  password: {}\n', "  password: '{}'"],
  'password-code': [
    password,
    'const password = "{}"',
    "login(user='ada', password='{}')",
    'conn.setPassword("{}");  // password = "{}"',
  ],
  'password-toml': [password, '[db]\npassword = "{}"'],
  'password-xml': [password, '<server><password>{}</password></server>'],
  'password-flag': [password, 'psql --password {}', 'tool --user ada --password={} run'],
  'password-sql': [password, "CREATE USER ada IDENTIFIED BY '{}';", "ALTER ROLE ada WITH PASSWORD '{}';"],
  'password-mysql': [password, 'mysql -u ada -p{} tide'],
  'password-curl': [password, 'curl -s -u ada:{} https://tide.ada.dev'],
  'password-sshpass': [password, "sshpass -p '{}' ssh ada@tide"],
  netrc: [password, 'machine git.ada.dev login ada password {}'],
  pgpass: [password, 'db.ada.dev:5432:tide:ada:{}'],
  'client-secret': [of('', URL64, 40), '"client_secret": "{}"', 'CLIENT_SECRET={}', 'clientSecret: "{}",'],
  'api-key': [of('', HEX, 32), 'api_key = "{}"', 'X-Api-Key: {}', '?api_key={}&x=1'],
  'secret-key': [of('', ALNUM, 50), "SECRET_KEY = '{}'", 'secret_key_base: {}'],
  'access-token': [
    of('', URL64, 60),
    '"access_token": "{}"',
    'accessToken="{}"',
    'https://tide.ada.dev/?access_token={}',
  ],
  'encryption-key': [of('', BASE64, 43, '='), 'ENCRYPTION_KEY={}', '"encryptionKey": "{}"'],
  wireguard: [of('', BASE64, 43, '='), '[Interface]\nPrivateKey = {}\nAddress = 10.0.0.2/32'],
}

const KEY_HEADS = [
  'RSA PRIVATE KEY',
  'PRIVATE KEY',
  'EC PRIVATE KEY',
  'OPENSSH PRIVATE KEY',
  'ENCRYPTED PRIVATE KEY',
  'PGP PRIVATE KEY BLOCK',
]

/** A line of the key stands for all of it: none of them may be told. */
function pem(random: Random): Planted {
  const head = random.pick(KEY_HEADS)
  const lines = Array.from({ length: 6 + random.below(20) }, () => some(random, BASE64, 64))
  const last = `${some(random, BASE64, 30)}==`
  const whole = [`-----BEGIN ${head}-----`, ...lines, last, `-----END ${head}-----`]
  const isCut = random.chance(0.25)
  const text = (isCut ? whole.slice(0, -3) : whole).join('\n')
  const place = random.pick(['{}', 'key:\n{}\ndone', 'cat id_rsa\n{}\n$ '])
  return {
    kind: `pem ${head}`,
    secret: [...lines.slice(0, isCut ? -1 : undefined), ...(isCut ? [] : [last])].join(''),
    text: place.replace('{}', () => text),
  }
}

export const KINDS: readonly string[] = [
  ...Object.keys(FORMS),
  ...Object.keys(NAMED),
  ...KEY_HEADS.map((head) => `pem ${head}`),
]

export function plant(random: Random, number: number): Planted {
  const kinds = [...Object.keys(FORMS), ...Object.keys(NAMED), 'pem', 'pem']
  const kind = kinds[number % kinds.length] as string
  const form = FORMS[kind]
  if (form !== undefined) {
    const secret = form(random)
    return { kind, secret, text: fill(random.pick(PLACES), secret) }
  }
  const named = NAMED[kind]
  if (named === undefined) return pem(random)
  const [make, ...places] = named
  const secret = make(random)
  return { kind, secret, text: fill(random.pick(places), secret) }
}

function fill(place: string, secret: string): string {
  return place.replaceAll('{}', () => secret)
}

/** How a text may be written, and how what is left of it is read again. */
export interface Encoding {
  readonly write: (text: string, secret: string) => string
  readonly read: (text: string) => string
}

const hex = (character: string, width: number): string => character.charCodeAt(0).toString(16).padStart(width, '0')
const everywhere = (text: string, secret: string, change: (secret: string) => string): string =>
  secret.length > 200 ? change(text) : text.replaceAll(secret, () => change(secret))

export const ENCODINGS: Readonly<Record<string, Encoding>> = {
  plain: { write: (text) => text, read: (text) => text },
  json: {
    write: (text) => JSON.stringify({ stdout: text }),
    read: (text) => text.replace(/\\n/g, '\n').replace(/\\(.)/g, '$1'),
  },
  'json twice': {
    write: (text) => JSON.stringify({ line: JSON.stringify({ stdout: text }) }),
    read: (text) => text.replace(/\\+n/g, '\n').replace(/\\+(.)/g, '$1'),
  },
  'unicode escapes': {
    write: (text, secret) =>
      everywhere(text, secret, (one) =>
        one.replace(/[^A-Za-z0-9\n]|[aeiou]/g, (character) => `\\u${hex(character, 4)}`),
      ),
    read: (text) =>
      text.replace(/\\u([0-9a-f]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
  },
  percent: {
    write: (text) =>
      encodeURIComponent(text).replace(/[-_.!~*'()]/g, (character) => `%${hex(character, 2).toUpperCase()}`),
    read: (text) =>
      text.replace(/%([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
  },
  base64: {
    write: (text) => `payload: ${base64Of(`# from the notes\n${text}\n`)} end`,
    read: (text) => text.replace(/[A-Za-z0-9+/]{16,}={0,2}/g, (run) => Buffer.from(run, 'base64').toString('latin1')),
  },
  html: {
    write: (text) =>
      text.replace(
        /[^A-Za-z0-9 \n]/g,
        (character) => ({ '&': '&amp;', '<': '&lt;', '"': '&quot;' })[character] ?? `&#${character.charCodeAt(0)};`,
      ),
    read: (text) =>
      text.replace(/&#(\d+);/g, (_, digits: string) => String.fromCharCode(Number(digits))).replace(/&amp;/g, '&'),
  },
}

/** Pieces of a Secret, eight characters long, that are still in a text. */
export function leaksOf(secret: string, text: string): readonly string[] {
  const leaks: string[] = []
  for (let at = 0; at + 8 <= secret.length; at++) {
    const piece = secret.slice(at, at + 8)
    if (text.includes(piece)) leaks.push(piece)
  }
  return leaks
}

/** What all tokens of a kind have in common tells nobody anything. */
export const NOT_SECRET =
  /^(?:sk-ant-|github_pat|access_token\$production\$|secret_[a-z]|AGE-SECRET-KEY|rubygems|IQoJb3JpZ2lu|pypi-AgEIcHlwaS5vcmc|ATATT3xFfGF0|eyJ)/
