// The name of a key, variable, header or flag → whether what it names is a Secret, and of which kind. The last word
// decides: a `tokenCount` is a count, a `countToken` is a token.

export type NameKind = 'password' | 'token' | 'secret' | 'api-key' | 'authorization' | 'cookie' | 'private-key'

export function nameKind(name: string): NameKind | null {
  const known = KNOWN.get(name)
  if (known !== undefined) return known
  const kind = judge(name)
  // Names are other people's: what is remembered of them must not grow without end.
  if (KNOWN.size < NAMES_MAX && name.length <= 100) KNOWN.set(name, kind)
  return kind
}

const NAMES_MAX = 20_000
const KNOWN = new Map<string, NameKind | null>()

function judge(name: string): NameKind | null {
  if (name.length > 100 || !/[a-z]/i.test(name)) return null
  const words = wordsOf(name)
  while (words.length > 1 && TAILS.has(words.at(-1) ?? '')) words.pop()
  const last = words.at(-1) ?? ''
  const before = words.at(-2) ?? ''
  if (words.some((word) => NOT_ABOUT.has(word))) return null
  const joined = before + last
  if (JOINED.has(joined)) return JOINED.get(joined) ?? null
  const kind = LAST.get(last) ?? (PASSWORDS.test(last) ? 'password' : undefined)
  if (kind === undefined) return /^keys?$/.test(last) && KEY_QUALIFIERS.has(before) ? 'api-key' : null
  if (kind === 'token' && TOKEN_NOT_AFTER.has(before)) return null
  if (words.length > 1 && NOT_FIRST.has(words[0] ?? '')) return null
  return kind
}

/** Written as one word: not every one that ends so is about a password. */
const PASSWORDS =
  /.(?:password|passwd|passphrase)$|^(?:db|ssh|smtp|mail|ftp|user|admin|root|my|sql|store|key|require)pass$/

/** `X-Api-Key`, `apiKey`, `API_KEY`, `db.password2` → their words. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}

const LAST: ReadonlyMap<string, NameKind> = new Map<string, NameKind>([
  ...kinds(
    'password',
    'password passwords passwd passwort pwd passphrase pswd passcode pass pw psw masterauth kennwort senha contrasena wachtwoord',
  ),
  ...kinds('token', 'token jwt pat accesstoken refreshtoken idtoken bearer authtoken apitoken'),
  ...kinds('secret', 'secret credential credentials creds secrets clientsecret mnemonic'),
  ...kinds(
    'api-key',
    'apikey secretkey accesskey authkey signingkey encryptionkey masterkey accountkey appkey sharedkey',
  ),
  ...kinds('private-key', 'privatekey privkey'),
  ...kinds('authorization', 'authorization'),
  ...kinds('cookie', 'cookie cookies setcookie'),
])

const JOINED: ReadonlyMap<string, NameKind | null> = new Map<string, NameKind | null>([
  // Of git, which tells which key it is.
  ['usersigningkey', null],
  ...kinds('private-key', 'privatekey sshkey'),
  ...kinds('cookie', 'setcookie'),
  ...kinds('password', 'rediscliauth'),
])

/** What makes a key one that opens something. */
const KEY_QUALIFIERS: ReadonlySet<string> = new Set(
  `api access secret private encryption encrypt signing sign master account storage license licence auth deploy ssh
  service sas subscription app application hmac aes webhook session cookie crypto vault root admin primary secondary write
  integration consumer ingestion decrypt decryption cipher jwt ssl tls pgp gpg`.split(/\s+/),
)

/** They may follow without changing what it is. */
const TAILS: ReadonlySet<string> = new Set(
  `value string text plain plaintext raw prod production dev development staging live old new current b base encoded
  confirm confirmation again repeat hash hashed`.split(/\s+/),
)

/** A `csrfTokenName` and a `publicKey` are told to everybody. */
const NOT_ABOUT: ReadonlySet<string> = new Set(
  `public count counts length size limit max min num number total budget name names type types field fields input label
  placeholder regex pattern url uri endpoint path file filename dir expires expiry ttl ids index page next cancel
  cancellation abort stop design syntax lexer eof pad bos eos mask unk special`.split(/\s+/),
)

const TOKEN_NOT_AFTER: ReadonlySet<string> = new Set('page next continuation sync cursor stop punctuation'.split(' '))
const NOT_FIRST: ReadonlySet<string> = new Set(
  'is has show hide toggle validate check no use requires needs'.split(' '),
)

function kinds(kind: NameKind, words: string): readonly (readonly [string, NameKind])[] {
  return words.split(' ').map((word) => [word, kind])
}
