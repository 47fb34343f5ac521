// What must stay as it is: a redactor that takes out what is no Secret makes a document nobody can read.

import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../src/redact/redactor.ts'

const PICTURE = `data:image/png;base64,${Buffer.from(
  Array.from({ length: 3000 }, (_, index) => (index * 7919 + 137) % 256),
).toString('base64')}`

const TEXTS: readonly string[] = [
  // Of a picture.
  `igc/${'EAAB'.repeat(9)}EIiNBAJWcHAhJi36NNpl8cc0lUo8JhUcfUdPoizZHlG3olPCpNSebVvoxLGjJHFSI/ynb7+gRTOmGeep0`,
  'c0ffee00-1234-4abc-8def-0123456789ab',
  'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '"integrity": "sha512-AKoO6kLjSVSjkOZ5rZTtK3SMSTuQzTLYNwLYWq9fbUAQlfGZ7pCzqfQPCkhk8tcmzNa8Ndw3+4G2mWqYbfp1Rw=="',
  'toolu_01A09q90qw90lq917835lq9',
  'msg_01XFDUDYJgAACzvnptvVoYEL',
  'req_011CSHoEeqs5C35K2UUqR7Fy',
  '/home/ada/tidewatch/src/token/secret-store.ts',
  'token_count: 12345',
  'max_tokens: 4096',
  '"input_tokens": 1234567, "output_tokens": 99999999',
  '"cache_creation_input_tokens": 123456789012',
  'password: string',
  'password?: string | undefined',
  'interface Login { user: string; password: string; apiKey: string }',
  'const key = process.env.API_KEY',
  'api_key = os.environ["API_KEY"]',
  'const token = getToken()',
  'const token = await this.tokens.next(request)',
  'if (token === null) return',
  'this.password = password',
  'token = tokens[index + 1]',
  'let secret = config.auth.secret',
  'API_KEY=$\u007bAPI_KEY}',
  'API_KEY=$API_KEY',
  'password: $\u007b{ secrets.NPM_TOKEN }}',
  'password: <your-password>',
  'password = "changeme"',
  'api_key: "your-api-key-here"',
  'token: "xxxxxxxxxxxxxxxxxxxxxxxx"',
  'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'AKIAIOSFODNN7EXAMPLE',
  'sk-ant-...',
  '<input type="password" name="password" placeholder="Enter your password">',
  '"Password must be at least 8 characters"',
  'label: "Forgot your password?"',
  'token: "punctuation.definition.string"',
  '{ token: "keyword", foreground: "0000ff" }',
  'https://tide.ada.dev/docs?page=2#install',
  'https://user@tide.ada.dev/x',
  'http://localhost:8080/api/v1/users',
  'git@github.com:ada/tidewatch.git',
  'Authorization: Bearer $\u007btoken}',
  'headers: { Authorization: `Bearer $\u007btoken}` }',
  'Authorization: Bearer <token>',
  '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEVnCkMUGzPqjN4rAtpFTUWKeUMSNm\n-----END PUBLIC KEY-----',
  'the header is -----BEGIN RSA PRIVATE KEY----- and then the body',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ada@tide',
  'the token bucket refills every second, and the secret is to keep it small',
  'Mary had a secret: she liked the password manager.',
  'class="sk-circle sk-fading-circle"',
  'import { password } from "@inquirer/prompts"',
  'function hash(password, salt) { return scrypt(password, salt, 64) }',
  'SELECT password FROM users WHERE token = ?',
  'cookie: Cookie',
  '- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: { name: tide, key: password }',
  '{"name": "password", "value": "string"}',
  '<input name="password" value="" autocomplete="off">',
  'variable "db_password" {\n  type = string\n  description = "at least 12 characters"\n}',
  '{"name": "token", "in": "query", "required": true, "type": "string", "value": "number"}',
  '- --password\n- prompts for 12 characters',
  'lastSignificantToken = "?InterpolationInJSX"',
  'git config set token on',
  'aws configure set cli_pager cat',
  'echo hello | docker build -',
  'mongosh --port 27017 -p',
  // What belongs to another command, and ports.
  'docker run --name mongo -d -p 8091:27017 mongo',
  'docker run --name mysql -d -p8091:3306 mysql',
  'docker compose build mongo && mkdir -p data/mongo/backups2',
  'unzip site.zip && rsync -P site.tar.gz2 ada@tide:',
  '7z x a.7z; ffmpeg -i a.mov -pix_fmt yuv420p out.mp4',
  'curl -fsSL https://tide.ada.dev | sh && docker run -u 1000:1042 tide',
  'ldapsearch -x | grep -w user1234',
  'helm registry login tide.ada.dev; docker run -p 8091:5432 postgres',
  'requests.get(url, auth=("user", "password"))',
  // Names of things, and what is said of them.
  'secret "tide-release-postgresql-15" deleted',
  'environment { AWS = credentials("aws-deploy-key-2024-prod") }',
  'getSecret("DB-PASSWORD-2024"), res.cookie("session_id_v2_2024")',
  'secret("projects/tide-1234/secrets/db/versions/1")',
  'Kubernetes Secret — tls-cert-2024-11',
  'token ?? defaultToken12345',
  'if (token !== "punctuation2.definition.x") return',
  '"Neočekávaný token",\n"Unexpected_token_1012_of_the_list"',
  'In most cases it is OK to simply pass `v8::Isolate::GetCurrent()`',
  'i18n.t("password.rules.v2"), $("#password1").val("x")',
  '- **token**: `string1`\n- **password**: see docs/v2.md',
  'authorization: see https://tide.ada.dev/docs/authorization2',
  'Authorization: Bearer $ACCESS_TOKEN_2024',
  'cpe:2.3:a:tide:watch:1.2:*:*:*:*:*:*:*',
  'arn:aws:logs:*:123456789012:log-group:/aws/lambda/tide2',
  // What lists tell of them.
  '  fix-password   9fceb02d Mend it\n  add-token      1a2b3c4d Add it',
  'NPM_TOKEN\t2025-01-01T00:00:00Z\nDB_PASSWORD\t2025-01-01T00:00:00Z',
  'ii  passwd         1:4.13+dfsg1-1+deb12u1  amd64',
  'kpasswd         464/udp',
  'auth-token   ClusterIP   10.0.0.1   443/TCP',
  'access_key     ****************ABCD shared-credentials-file',
  '| password | varchar(255) | NO |\n| token | string | 64 characters |',
  '  Password   string `json:"password1"`',
  '    password  |  98.75 |   91.2',
  'set-remote-password|show-message-1|show-message-2',
  '<td>Token</td><td>12 tokens</td>',
  '<label name="password">Password 8+ characters</label>',
  'Your API key:\nhttps://tide.ada.dev/settings2',
  'credentials:\n  aws_access_key_prod_2024\n',
  'echo production | vercel env add NODE_ENV',
  'git config --global user.signingkey 3AA5C34371567BD2',
  'kubectl config set-credentials ada --token=$TOKEN',
  'docker run --name token-service nginx',
  '     7→  token:\n     8→    tide-watch-deploy-2\n     9→  secret:\n    10→    - name2',
  '     7→- --password\n     8→- prompts for 12 characters',
  '    21→<td>Token</td>\n    22→<td>12 tokens2</td>',
  // What is asked of a form.
  "'password' => 'required|string|min:8|confirmed', 'token' => 'required|uuid4'",
  'password: "min:8|max:255"',
  // What has passed.
  '    --- PASS: TestTide/high_water_2 (0.00s)',
  '"pass": "The page has 1 title"',
  'pass: 12.345s, fail: 0',
  'build\tpass\t12m34s\thttps://github.com/ada/tidewatch/actions/runs/1/job/2',
  '\x1b[0m\x1b[7m\x1b[1m\x1b[32m PASS \x1b[39m\x1b[22m\x1b[27m\x1b[0m \x1b[2msrc/\x1b[22m\x1b[1mtide2.test.ts\x1b[22m',
  '| WCAG | Pass | 2.1-AA |\n| T2 | **PASS** | p95=120ms |\n pass   tests/login2.spec.ts   12ms',
  '<tr><td>Pass</td><td>2026-11-01</td></tr><pass>1204</pass>',
  'Compass: north2northwest, bypass: lane42west',
  // Words of other languages.
  '{"password": "Пароль", "passwd": "Введите пароль"}',
  '{"password": "Contraseña", "pass": "ページには少なくとも1つのレベル1の見出しがあります"}',
  'mnemonic: "test test test test test test test test test test test junk"',
  'mnemonic: "my very educated mother just served us nine pizzas and cake"',
  '\x1b[32mpassword\x1b[0m: string',
  'nextPageToken: "CAUQAA"',
  'csrfTokenName: "x-csrf-token-2"',
  'tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")',
  'publicKey: "02a1633cafcc01ebfb6d78e39f687a1f0995c62fc95f51ead10a02ee0be551b5dc"',
  'secretName: "tls-cert-2026-prod"',
  'password_file: /run/secrets/db_password',
  'ANTHROPIC_API_KEY=op://vault/anthropic/key',
  'version: 2.1.325, build 20261116, size 1048576',
  'import "basic ftp"',
  'Basic authentication is not supported',
  '2026-11-16T05:43:49.123Z 127.0.0.1 GET /index.html 200',
  PICTURE,
]

test.each(TEXTS.map((text) => [text.slice(0, 90), text] as const))('%s', (_, text) => {
  const { findings, text: told } = createRedactor().text(text)
  expect(findings.map(({ rule, start, end }) => `${rule}: ${text.slice(start, end)}`)).toEqual([])
  expect(told).toBe(text)
})

describe('values', () => {
  test.each([
    { usage: { input_tokens: 12, output_tokens: 999999, cache_creation: { ephemeral_5m_input_tokens: 0 } } },
    { max_tokens: '4096', tokenCount: '123456', token_type: 'bearer-ish' },
    { token: null, password: true, secret: 12345678, apiKey: '' },
    { password: '$\u007bDB_PASSWORD}', token: '<token>', secret: 'process.env.SECRET' },
    { id: 'toolu_01A09q90qw90lq917835lq9', uuid: 'c0ffee00-1234-4abc-8def-0123456789ab', sessionId: 'a'.repeat(36) },
    { args: ['--token', '--verbose', '--password', 'The password of the database'] },
    { token: { type: 'keyword', value: 'const' }, password: { value: '', label: 'Your password' } },
    [1, 'two', null, { three: [] }],
  ])('%j', (value) => {
    // Nothing was found: it is the same object, not a copy.
    expect(createRedactor().value(value)).toBe(value)
  })
})

test('pictures in a document cost what their length costs', () => {
  const picture = PICTURE.repeat(200)
  const before = performance.now()
  createRedactor().text(picture)
  expect(performance.now() - before).toBeLessThan(2000)
})
