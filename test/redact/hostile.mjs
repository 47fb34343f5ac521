// Texts that make a careless redactor slow: each is about as long as asked for.

export function hostileTexts(length) {
  const fill = (piece) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
  const numbered = (make) => {
    let text = ''
    for (let number = 0; text.length < length; number++) text += make(number)
    return text
  }
  const half = (piece, other) => fill(piece).slice(0, length / 2) + fill(other).slice(0, length / 2)
  return {
    'one letter': fill('a'),
    'one dash': fill('-'),
    blanks: fill(' '),
    'line ends': fill('\n'),
    NULs: fill('\0'),
    'keykey…': fill('key'),
    'password=': fill('password='),
    'password=x': fill('password=x'),
    'password="': fill('password="'),
    "password='x1y2z3w4' ": fill("password='x1y2z3w4' "),
    'PASSWORD=… lines': numbered((number) => `DB_PASSWORD=x${number}y${number * 7}z\n`),
    'password blanks': fill(`password${' '.repeat(40)}`),
    'tokentoken…': fill('token'),
    'api_key: ': fill('api_key: '),
    'AKIA…': fill('AKIA'),
    'AKIA with room': fill('AKIAAAAAAAAAAAAA '),
    'many AWS keys': numbered(
      (number) =>
        `AKIA${(number + 36 ** 5)
          .toString(36)
          .toUpperCase()
          .replace(/[018 9]/g, 'Q')
          .padEnd(16, 'JX7K')
          .slice(0, 16)}\n`,
    ),
    'eyJeyJ…': fill('eyJ'),
    'eyJ with dots': fill('eyJhbGciOiJI.'),
    'eyJ.eyJ.': fill('eyJabcdefgh.eyJabcdefgh.'),
    'sk-sk-…': fill('sk-'),
    'sk-ant-…': fill('sk-ant-'),
    'ghp_ almost': fill(`ghp_${'a'.repeat(29)}_`),
    'many tokens': numbered((number) => `ghp_${(number * 7919 + 36 ** 6).toString(36).repeat(6).slice(0, 36)} `),
    'BEGIN ': fill('-----BEGIN '),
    'BEGIN PRIVATE KEY': fill('-----BEGIN PRIVATE KEY-----'),
    'BEGIN and base64': fill(`-----BEGIN RSA PRIVATE KEY-----\n${'QUJD'.repeat(15)}\n`),
    'one long key': `-----BEGIN RSA PRIVATE KEY-----\n${fill(`${'QkJD'.repeat(15)}\n`)}`,
    'END PRIVATE KEY': fill('-----END PRIVATE KEY-----'),
    'base64 and END': fill(`${'QUJD'.repeat(15)}\n-----END RSA PRIVATE KEY-----\n`),
    'long base64': fill('QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo'),
    'base64 of words': fill('cGFzc3dvcmQ9aHVudGVyMiBhbmQgbW9yZSA'),
    'base64 runs': fill('cGFzc3dvcmQ9aHVudGVyMjE= '),
    '\\u002d': fill('\\u002d'),
    '\\\\\\\\': fill('\\'),
    '\\"': fill('\\"'),
    '%41': fill('%41'),
    '%2z lines': fill('%2z\n'),
    '&#45;': fill('&#45;'),
    '&amp;amp;': fill('&amp;'),
    'nested quotes': fill('"\'`'),
    'nested JSON': fill('{\\"a\\":\\"{\\\\\\"b\\\\\\":'),
    '://': fill('://'),
    '://a:b': fill('://a:'),
    'a:b@': fill('://a:b@'),
    'postgres://': fill('postgres://'),
    'curl ': fill('curl '),
    'curl -u': fill('curl x -u '),
    'mysql -p': fill('mysql -'),
    'mysql one line': fill('mysql aaaaaaaaaaaaaaaaaaaaa '),
    'openssl one line': fill('openssl aaaaa '),
    'cookie:': fill('cookie:'),
    'Cookie: long': `Cookie: ${fill('a=b; ')}`,
    'bearer ': fill('bearer '),
    'authorization: ': fill('authorization: '),
    'identified by': fill('identified by '),
    'machine login': fill('machine a login b '),
    ':5432:': fill(':5432:'),
    $2a$: fill('$2a$10$'),
    ':AA': fill('12345678:AA'),
    '-us1': fill('0123456789abcdef0123456789abcdef-us'),
    'hard wrapped': fill(`${'a1b2c3d4'.repeat(9)}\n`),
    'continued lines': fill(`${'a1b2c3d4'.repeat(3)}\\\n`),
    'strings joined': fill('"a1b2c3d4" + '),
    placeholders: fill('⟦secret:password:3f9a⟧'),
    '⟦ alone': fill('⟦'),
    'letters without ASCII': fill('пароль=тайна '),
    'half and half': half('password', '="'),
    'sig=': fill('sig=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'),
    '1/': fill('1/1234567890123456:'),
    'xoxb-': fill('xoxb-1'),
    'one known secret, nearly everywhere': `"password": "${'a'.repeat(590)}b"\n${fill('a')}`,
  }
}
