// Places where people leave a Secret and a rule once looked past it.

import { expect, test } from 'vitest'
import { createRedactor } from '../../src/redact/redactor.ts'
import { leaksOf } from './planted.ts'

const TOKEN = 'glaCjUtcKgLWS5de7fsOssBQocBDskSv'
const PASSWORD = 'Xk29dLmQ0pZr7T'
const LETTERS = 'QhMKcVtPwRbZxLsNdGyJfTuEaWoCkHiXmB'
const CODED = Buffer.from(`ada:${PASSWORD}`).toString('base64')
const DJANGO = '8#k2!x0vq@w$z7&n^m1*l(p9)r+t=u5y_i3-o6e%a4s8d(f2g)h'

test.each<readonly [string, string]>([
  [`curl -u ada:${PASSWORD} https://tide.ada.dev`, PASSWORD],
  [`curl --user ada:${PASSWORD} https://tide.ada.dev`, PASSWORD],
  [`docker login -p ${PASSWORD} tide.ada.dev`, PASSWORD],
  [`SECRET_KEY = '${DJANGO}'`, DJANGO],
  [`SECRET_KEY = "django-insecure-${DJANGO}"`, DJANGO],
  [`{"auths":{"tide.ada.dev":{"auth":"${CODED}"}}}`, CODED],
  [`//tide.ada.dev/:_auth=${CODED}\nalways-auth=true`, CODED],
  [`my API key is ${TOKEN}, keep it`, TOKEN],
  [`The secret key: ${TOKEN}`, TOKEN],
  [`密钥：API_KEY=${TOKEN}。`, TOKEN],
  [`AWS_SECRET_ACCESS_KEY=${TOKEN}，然后部署`, TOKEN],
  [`deploy --token ${TOKEN}、それから`, TOKEN],
  [`x-api-key: ${TOKEN}入れて`, TOKEN],
  [`DB_PASSWORD=${PASSWORD}。`, PASSWORD],
  ['db:\n  user: ada\n  password: Onltu629.VBaz\n', 'Onltu629.VBaz'],
  ['password: Summer2024.blue', 'Summer2024.blue'],
  ['"SecretAccessKey": "/8XLiMvNvmyESAhHEd0giGIEKi7cAP9mwRDfk1ye"', '8XLiMvNvmyESAhHEd0giGIEKi7cAP9mwRDfk1ye'],
  ['"SecretAccessKey": "/kckjH9/PmDYME2RMSZVvov6ZwGJII88Rs825961"', 'PmDYME2RMSZVvov6ZwGJII88Rs825961'],
  [
    'Set-Cookie: connect.sid=LY5XxXx4ul5VE5TOqDgRrvwMXbmEHIvgkSGHXrzKOuTSivTQi6dFDi4w8cSkSx_q; HttpOnly',
    'LY5XxXx4ul5VE5TOqDgRrvwMXbmEHIvgkSGHXrzKOuTSivTQi6dFDi4w8cSkSx_q',
  ],
  ['CLOUDFLARE_API_TOKEN=1-7DCtodobMQtC08sq1VfWpJFnu6XJmnEZZNZQZr', '7DCtodobMQtC08sq1VfWpJFnu6XJmnEZZNZQZr'],
  ['curl -s -u ada:Todov532.U10x https://tide.ada.dev', 'Todov532.U10x'],
  ["sshpass -p 'Adoyj248-toDo' ssh ada@tide", 'Adoyj248-toDo'],
  ['api_key = "1bfecbfbbe5fbe5fa5f75babc02ff57a"', '1bfecbfbbe5fbe5fa5f75babc02ff57a'],
  // Colours of a terminal: around a value, before a token, and in the middle of what grep has found.
  [`\x1b[32mpassword:\x1b[0m \x1b[1;33m${PASSWORD}\x1b[0m`, PASSWORD],
  [`\x1b[32mhf_${LETTERS}\x1b[0m`, LETTERS],
  [JSON.stringify({ stdout: `key \x1b[01;31m\x1b[Khf_${LETTERS}\x1b[m` }), LETTERS],
  [`DB_PASSWORD=${PASSWORD.slice(0, 5)}\x1b[7m${PASSWORD.slice(5)}\x1b[0m`, PASSWORD.slice(5)],
  // As a program writes them, without their escapes, and other words to a terminal.
  [`printf '\\033[32mDB_PASSWORD\\033[0m=\\033[1;33m${PASSWORD}\\033[0m'`, PASSWORD],
  [`\\e[32mpassword:\\e[0m \\e[33m${PASSWORD}`, PASSWORD],
  [JSON.stringify(JSON.stringify(JSON.stringify(JSON.stringify(`\x1b[1mhf_${LETTERS}\x1b[0m`)))), LETTERS],
  [`[32mDB_PASSWORD[0m=[33m${PASSWORD}[0m`, PASSWORD],
  [`[1;32mhf_${LETTERS}[0m`, LETTERS],
  [`\x1b[0m\x1b(B\x1b[mhf_${LETTERS}`, LETTERS],
  [`\x1b[>4;2mhf_${LETTERS}`, LETTERS],
  // On the next line, because the string is long.
  [`const apiKey =\n  '${TOKEN}'`, TOKEN],
  [`  "password":\n    "${PASSWORD}",`, PASSWORD],
  [`+  apiKey:\n+    "${TOKEN}",`, TOKEN],
  [`     7→  api_key = (\n     8→      "${TOKEN}"\n`, TOKEN],
  [`["--password",\n  "${PASSWORD}"]`, PASSWORD],
  // Markdown, arrows.
  [`**Password:** ${PASSWORD}`, PASSWORD],
  [`- **API Key**: \`${TOKEN}\``, TOKEN],
  [`*Token*: ${TOKEN}`, TOKEN],
  [`The password is: ${PASSWORD}`, PASSWORD],
  [`password → ${PASSWORD}`, PASSWORD],
  [`password -> ${PASSWORD}`, PASSWORD],
  // In columns and markup.
  [`| variable | value |\n|---|---|\n| \`API_TOKEN\` | \`${TOKEN}\` |`, TOKEN],
  [`│ DB_PASSWORD │ ${PASSWORD} │`, PASSWORD],
  [`Key         Value\n---         -----\npassword    ${PASSWORD}\nttl         1h`, PASSWORD],
  [`DB_USER\tada\nDB_PASSWORD\t${PASSWORD}`, PASSWORD],
  [` id       | 1\n password | ${PASSWORD}`, PASSWORD],
  [`<tr><td>API token</td><td><code>${TOKEN}</code></td></tr>`, TOKEN],
  [`<key>API_KEY</key>\n  <string>${TOKEN}</string>`, TOKEN],
  [`<wsse:Password Type="text">${PASSWORD}</wsse:Password>`, PASSWORD],
  [`<password><![CDATA[${PASSWORD}]]></password>`, PASSWORD],
  [`<property name="db.password">${PASSWORD}</property>`, PASSWORD],
  [`<setting name="DbPassword" as="String">\n  <value>${PASSWORD}</value>`, PASSWORD],
  [`Here is your API key:\n\n\`\`\`\n${TOKEN}\n\`\`\`\n`, TOKEN],
  // In programs.
  [`process.env.API_KEY || '${TOKEN}'`, TOKEN],
  [`process.env['API_KEY'] ?? "${TOKEN}"`, TOKEN],
  [`os.environ.get("API_KEY") or "${TOKEN}"`, TOKEN],
  [`getenv("X_TOKEN") ?: "${TOKEN}"`, TOKEN],
  [`if (password !== '${PASSWORD}') throw new Error()`, PASSWORD],
  [`client.setPassword("${PASSWORD}")`, PASSWORD],
  [`builder.apiKey(\n  "${TOKEN}",\n)`, TOKEN],
  [`#define API_KEY "${TOKEN}"`, TOKEN],
  // The value has a key of its own.
  [`{"name":"DB_PASSWORD","value":"${PASSWORD}"}`, PASSWORD],
  [JSON.stringify(`{"key": "DB_PASSWORD", "value": "${PASSWORD}"}`), PASSWORD],
  [`env:\n  - name: DB_PASSWORD\n    value: ${PASSWORD}\n`, PASSWORD],
  [`     7→  - name: DB_PASSWORD\n     8→    value: "${PASSWORD}"`, PASSWORD],
  [`<add key="DbPassword" value="${PASSWORD}" />`, PASSWORD],
  [`"adminPassword": { "value": "${PASSWORD}" }`, PASSWORD],
  // With other keys between.
  [`{"Name": "/tide/db-password", "Type": "SecureString", "Value": "${PASSWORD}", "Version": 1}`, PASSWORD],
  [JSON.stringify(JSON.stringify({ Name: 'DB_PASSWORD', Type: 'SecureString', Value: PASSWORD }, null, 2)), PASSWORD],
  [`- name: DB_PASSWORD\n  kind: plain\n  value: ${PASSWORD}`, PASSWORD],
  [`<Setting Name="DbPassword" Type="text" Value="${PASSWORD}"/>`, PASSWORD],
  [`"db_password": {\n  "sensitive": true,\n  "type": "string",\n  "value": "${PASSWORD}"\n}`, PASSWORD],
  [`variable "db_password" {\n  type      = string\n  sensitive = true\n  default   = "${PASSWORD}"\n}`, PASSWORD],
  [`+variable "db_password" {\n+  default = "${PASSWORD}"\n+}`, PASSWORD],
  [`args:\n  - --password\n  - ${PASSWORD}\n`, PASSWORD],
  // Commands.
  [`aws configure set aws_secret_access_key ${TOKEN}`, TOKEN],
  [`npm config set //registry.tide.dev/:_authToken ${TOKEN}`, TOKEN],
  [`setenv DB_PASSWORD ${PASSWORD}`, PASSWORD],
  [`ldapsearch -x -D cn=ada -w ${PASSWORD} -b dc=tide`, PASSWORD],
  [`mongosh -u ada -p ${PASSWORD} tide`, PASSWORD],
  [`sqlcmd -S tide -U sa -P '${PASSWORD}'`, PASSWORD],
  [`unzip -P ${PASSWORD} tide.zip`, PASSWORD],
  [`7z x -p${PASSWORD} tide.7z`, PASSWORD],
  [`smbclient //tide/s -U ada%${PASSWORD}`, PASSWORD],
  [`echo '${PASSWORD}' | docker login -u ada --password-stdin`, PASSWORD],
  [`echo ${PASSWORD} | sudo -S apt update`, PASSWORD],
  [`printf '%s' "${PASSWORD}" | gh auth login --with-token`, PASSWORD],
  [`requests.get(url, auth=("ada", "${PASSWORD}"))`, PASSWORD],
  [`     1→machine tide.ada.dev\n     2→  login ada\n     3→  password ${PASSWORD}`, PASSWORD],
  [`default login ada password ${PASSWORD}`, PASSWORD],
  // What a command is told goes on in the next line, and in quotes.
  [
    `curl -X POST https://tide.ada.dev/v1 \\\n  -H 'Accept: text/plain; q=1' \\\n    --user 'ada:${PASSWORD}'`,
    PASSWORD,
  ],
  [JSON.stringify({ command: `curl https://tide.ada.dev \\\n  -u ada:${PASSWORD}` }), PASSWORD],
  [`curl "https://tide.ada.dev/?a=1&b=2" -u ada:${PASSWORD}`, PASSWORD],
  [`mysql -u root -p'${PASSWORD}' tide`, PASSWORD],
  // What a command sets, under a name or on its standard input.
  [`setx DB_PASSWORD "${PASSWORD}" /M`, PASSWORD],
  [`set -gx API_TOKEN ${TOKEN}`, TOKEN],
  [`RUN true\nENV DB_PASSWORD ${PASSWORD}\n`, PASSWORD],
  [`git config --global github.token ${TOKEN}`, TOKEN],
  [`npm set //registry.tide.dev/:_authToken ${TOKEN}`, TOKEN],
  [`gh secret set NPM_TOKEN --body "${TOKEN}"`, TOKEN],
  [`wrangler secret put API_TOKEN <<< ${TOKEN}`, TOKEN],
  [`aws ssm put-parameter --name /tide/db-password --value "${PASSWORD}" --type SecureString`, PASSWORD],
  [`echo "${PASSWORD}" | gh secret set DB_LOGIN`, PASSWORD],
  [`echo "${PASSWORD}" | vercel env add DB_PASSWORD production`, PASSWORD],
  [`echo 'ada:${PASSWORD}' | sudo chpasswd`, PASSWORD],
  [`redis-cli AUTH ${PASSWORD}`, PASSWORD],
  [`requirepass ${PASSWORD}`, PASSWORD],
  [`twine upload -u ada -p ${PASSWORD} dist/*`, PASSWORD],
  [`poetry config http-basic.tide ada ${PASSWORD}`, PASSWORD],
  [`ssh-keygen -t rsa -N '${PASSWORD}' -f key`, PASSWORD],
  [`keytool -genkey -storepass ${PASSWORD} -alias tide`, PASSWORD],
  [`export API_TOKEN=${TOKEN}; curl https://tide.ada.dev`, TOKEN],
  [`SECRET_KEY=${TOKEN};npm test`, TOKEN],
  // Names.
  [`auth: { user: 'ada', pass: '${PASSWORD}' }`, PASSWORD],
  [`pass=${PASSWORD}`, PASSWORD],
  [`smtpPass: "${PASSWORD}"`, PASSWORD],
  [`SSHPASS=${PASSWORD} sshpass -e ssh tide`, PASSWORD],
  [`REDISCLI_AUTH=${PASSWORD} redis-cli ping`, PASSWORD],
  [`senha=${PASSWORD}`, PASSWORD],
  [`API_KEYS=${TOKEN},${TOKEN}x`, TOKEN],
  ['MNEMONIC="legal winner thank year wave sausage worth useful legal winner thank yellow"', 'sausage worth'],
  // Headers, and how programs connect.
  [`curl -H "Authorization: GenieKey ${TOKEN}"`, TOKEN],
  [`"Authorization": "Klaviyo-API-Key ${TOKEN}"`, TOKEN],
  [`ConvertTo-SecureString "${PASSWORD}" -AsPlainText -Force`, PASSWORD],
  [`New-Object PSCredential("ada", "${PASSWORD}")`, PASSWORD],
  [`request(app).get('/').auth('ada', '${PASSWORD}')`, PASSWORD],
  [`sql.Open("mysql", "root:${PASSWORD}@tcp(db:3306)/tide")`, PASSWORD],
  [`jdbc:oracle:thin:ada/${PASSWORD}@//db:1521/tide`, PASSWORD],
  [`sqlplus ada/${PASSWORD}@tide`, PASSWORD],
  [`*:*:*:ada:${PASSWORD}`, PASSWORD],
  ['kind: Secret\ndata:\n  password: aHVudGVyQmx1ZQ==\n  db-pass: aHVudGVyQmx1Ymx1Yms=', 'HVudGVyQmx1'],
  // Quotes change nothing, though a password has little in it that tells.
  ['gpg --batch --passphrase "hunter2Blue!" -d a.gpg', 'hunter2Blue!'],
  ['tidectl login --password "correcthorse42"', 'correcthorse42'],
  ['setx DB_PASSWORD "hunter2Blue!" /M', 'hunter2Blue!'],
  [`<Server><User>ada</User><Pass>${PASSWORD}</Pass></Server>`, PASSWORD],
  ['| user | ada |\n| pass | hunter2#Blue |', 'hunter2#Blue'],
  // In a listing and in a diff.
  [`     7→    args:\n     8→      - --password\n     9→      - ${PASSWORD}\n`, PASSWORD],
  [`-    args:\n-      - --password\n-      - ${PASSWORD}\n`, PASSWORD],
  [`    21→\t<key>ApiToken</key>\n    22→\t<string>${TOKEN}</string>`, TOKEN],
  [`+\t<key>ApiToken</key>\n+\t<string>${TOKEN}</string>`, TOKEN],
  [`     3→Your API key:\n     4→\n     5→${TOKEN}\n`, TOKEN],
  // Quotes within the quotes of a shell, and three that are as one.
  [`ssh tide 'export DB_PASS='\\''${PASSWORD}'\\'' && npm start'`, PASSWORD],
  [JSON.stringify({ command: `bash -c 'mysql -u root -p'\\''${PASSWORD}'\\'' tide'` }), PASSWORD],
  [`ssh tide 'psql -c "ALTER USER ada PASSWORD '"'"'${PASSWORD}'"'"'"'`, PASSWORD],
  [`password = """${PASSWORD}"""`, PASSWORD],
  [`api_key = '''${TOKEN}'''`, TOKEN],
  // Without a digit.
  ['see sk-qhMKcVtPwRbZxLsNdGyJfTuEaWoCkHiXmBvQrSpYlUnDgFzA', 'qhMKcVtPwRbZxLsNdGyJfTuEaWoCkHiXmBvQrSpYlUnDgFzA'],
  ['vercel deploy --token VRvIQUUDfzQyfaqkepkBOUZE', 'VRvIQUUDfzQyfaqkepkBOUZE'],
  // Base64 at the end of a text in JSON is no type that a value is assigned to.
  ['{"stdout":"data:\\n  password: QWJjZGU1MDchSEtrZDE="}', 'QWJjZGU1MDchSEtrZDE'],
])('%j', (text, secret) => {
  expect(leaksOf(secret, createRedactor().text(text).text)).toEqual([])
})

test.each([
  { db_password: { sensitive: true, type: 'string', value: PASSWORD } },
  { parameters: { adminPassword: { value: PASSWORD } } },
  { Parameter: { Name: '/tide/db-password', Type: 'SecureString', Value: PASSWORD } },
  { token: { access_token: { value: TOKEN } } },
  { command: 'npx', args: ['-y', 'tide-mcp', '--api-key', TOKEN] },
  { args: ['--password', PASSWORD, '--verbose'] },
  { variable: 'DB_PASSWORD', value: PASSWORD },
])('%j, as a value', (value) => {
  expect(JSON.stringify(createRedactor().value(value))).toMatch(/"⟦secret:[a-z-]+:1⟧"/)
})

test.each([
  'The private key: /home/ada/.ssh/id_ed25519',
  'an API key is needed for that, and a secret key too',
  '"auth": "authorization-code"',
  '"auth": "requiredForAll"',
  'curl -u "$USER:$PASSWORD" https://tide.ada.dev',
  "SECRET_KEY = os.environ['SECRET_KEY']",
  'token=abc123de…',
  'the api key: process.env.API_KEY',
  'password: user123.password',
  'API_KEY=TODO_2026_ask_ada_for_it',
  'token: "fixme-12345678"',
  'api_key: "AbXxXxXxXx12XxXx3456"',
  'token: "Ab12-XXXX-9f"',
  '"secret": "/home/ada/Projects2024/TideWatch/keys/ServerKey1"',
  'api_key = "1234123412341234123412341234123a"',
  'password: accounts2026.first.adminPassword',
  'private_key: ed25519.Ed25519PrivateKey',
  'token: sha256.hexdigest',
  'secret: openssl.hpke.MLKEM1024P384Pair',
  'パスワード password: 必須です',
  '{"password": "パスワードを入力してください", "pass": "元素具有非空值屬性"}',
  '{"password": "비밀번호를 입력하세요"}',
])('%j stays as it is', (text) => {
  expect(createRedactor().text(text).text).toBe(text)
})

test('a key in HTML of which many lines have nothing to escape', () => {
  const line = (number: number): string => `${number % 10}AbCdEfGhIjKlMnOpQrStUvWxYz${'Qm7'.repeat(12)}${number % 7}`
  const lines = Array.from({ length: 40 }, (_, number) => line(number))
  const dashes = '&#45;'.repeat(5)
  const key = [`${dashes}BEGIN PRIVATE KEY${dashes}`, ...lines, `${dashes}END PRIVATE KEY${dashes}`].join('\n')
  const { text } = createRedactor().text(`the key:\n${key}\ndone`)
  expect(lines.filter((one) => text.includes(one.slice(8, 40)))).toEqual([])
  expect(text).toMatch(/^the key:\n⟦[^⟧]*⟧\ndone$/)
})
