// What belongs to nobody in particular: tokens, headers, links and commands with a password in them.

import type { Rule } from './rule.ts'
import { apart, around, command, token } from './rule.ts'

export const EVERYWHERE_RULES: readonly Rule[] = [
  token('jwt', 'eyj', /eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}(?:\.[A-Za-z0-9_-]{0,1000})?/),
  token(
    'jwe',
    'eyj',
    /eyJ[A-Za-z0-9_-]{10,1000}\.[A-Za-z0-9_-]{0,800}\.[A-Za-z0-9_-]{8,64}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,64}/,
  ),
  // scheme://user:password@host, also with an empty user as redis has it.
  token('url-password', '://', /:\/\/[^\s/:@?#"'`<>⟦\\]{0,80}:([^\s/@"'`<>⟦\\]{4,200})(?=@[A-Za-z0-9_[${%.-])/),
  // A password with a slash in it makes no valid URL, and people write it all the same.
  token(
    'url-password',
    'postgres:// postgresql:// mysql:// mongodb:// mongodb+srv:// redis:// rediss:// amqp:// amqps:// mssql://',
    /[a-z+]{4,12}:\/\/[^\s:@"'`<>⟦\\]{0,80}:([^\s@"'`<>⟦\\]{4,200})(?=@[A-Za-z0-9_[-])/i,
  ),
  token('url-token', '://', /:\/\/((?=[a-z_-]{0,60}[0-9A-Z])[A-Za-z0-9_-]{20,200})(?=@[A-Za-z0-9.-]{3,80})/),
  apart('bearer', 'bearer', /bearer\s{1,4}["']?([A-Za-z0-9._~+/=|-]{16,4000})/i),
  apart('authorization', 'basic', /basic ((?=[A-Za-z+/]{0,40}[0-9=])[A-Za-z0-9+/]{12,500}={0,2})(?![A-Za-z0-9+/])/i),
  apart(
    'authorization',
    'authorization',
    /authorization["'\\]{0,4}\s{0,2}[:=,]\s{0,4}["'\\]{0,4}(?:token|apikey|api-key|digest|negotiate|ntlm|key|bot|aws)\s{1,2}([^\s"'`\\,]{12,2000})/i,
  ),
  apart(
    'authorization',
    'authorization',
    /authorization["'\\]{0,4}\s{0,2}[:=]\s{0,4}["'\\]{0,4}((?=[A-Za-z_./+-]{0,60}\d)[A-Za-z0-9._~+/=-]{20,2000})/i,
  ),
  // Any other scheme: GenieKey, Klaviyo-API-Key, OAuth, …
  apart(
    'authorization',
    'authorization',
    /authorization["'\\]{0,4}\s{0,2}[:=]\s{0,4}["'\\]{0,4}[A-Za-z][A-Za-z-]{1,24} ((?=[^\s"'`\\,\d]{0,60}\d)[^\s"'`\\,]{16,2000})/i,
  ),
  apart('cookie', 'cookie:', /cookie:\s{0,4}([A-Za-z0-9_.-]{1,80}=[^\s"'⟦\\][^\n"'⟦\\]{8,4000})/i),
  apart(
    'cookie',
    'sessionid= phpsessid= jsessionid= connect.sid= sessid= session= sid= asp.net_sessionid= laravel_session= remember_token= csrftoken= xsrf-token=',
    /[a-z_.-]{3,24}=((?!\d{4}-\d\d-)(?=[A-Za-z%._-]{0,40}\d)[A-Za-z0-9%._~+/-]{20,1000}={0,2})/i,
  ),
  token(
    'sql-password',
    'identified',
    /identified\s{1,4}(?:with\s{1,4}[\w'"]{1,40}\s{1,4})?(?:by|as)\s{1,4}(?:password\s{1,4})?\\{0,3}['"]([^'"\n\\⟦]{3,200})(?=\\{0,3}['"])/i,
  ),
  token('sql-password', 'password', /password\s{1,4}E?\\{0,3}'([^'\s\\⟦]{4,200})(?=\\{0,3}')/i),
  command(
    'mysql mysqldump mysqladmin mariadb',
    /(?:mysql\w{0,10}|mariadb\w{0,8})\s[^\n]{0,120}?\s?-p["']?(?![\s=a-z]{1,5}[ -]|[\d.]{1,15}:\d)([^\s'"⟦]{4,120})/,
  ),
  command('sshpass', /sshpass\s{1,3}-p\s{0,3}["']?([^\s"'⟦]{3,120})/),
  command(
    'curl wget http',
    /(?:curl|wget|https?)(?=\s)[^\n]{0,200}?\s(?:-u|--user|--proxy-user|-a)[ =]?\s{0,2}["']?[^\s:"'$⟦]{1,80}:([^\s"'⟦]{3,200})/,
  ),
  command(
    'htpasswd',
    /htpasswd\s[^\n]{0,60}-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}\s{1,3}\S{1,80}\s{1,3}\S{1,80}\s{1,3}["']?([^\s"'⟦]{3,120})/,
  ),
  command('openssl', /openssl\s[^\n]{0,200}?-(?:pass(?:in|out)?\s{1,3}pass:|k\s{1,3})["']?([^\s"'$⟦]{3,120})/),
  command(
    'docker podman helm',
    /(?:docker|podman|helm)\s[^\n]{0,20}login(?=\s)[^\n]{0,120}?\s-p\s{1,3}["']?([^\s"'$⟦]{4,300})/,
  ),
  command(
    'ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldappasswd',
    /ldap[a-z]{3,6}\s[^\n]{0,200}?\s-w\s{1,3}["']?([^\s"'$⟦]{4,200})/,
  ),
  command(
    'mongo mongosh mongodump mongorestore mongoexport mongoimport twine',
    /(?:mongo[a-z]{0,7}|twine)\s[^\n]{0,160}?\s-p\s{1,3}["']?(?![\d.]{1,15}:\d)([^\s"'$⟦-][^\s"'$⟦]{3,200})/,
  ),
  command('sqlcmd bcp', /(?:sqlcmd|bcp)\s[^\n]{0,160}?\s-P\s{0,3}["']?([^\s"'$⟦]{4,200})/),
  command('unzip zip', /(?:un)?zip\s[^\n]{0,80}?-P\s{1,3}["']?([^\s"'$⟦]{4,200})/),
  command('7z 7za 7zz', /7z[az]?\s[a-z]\s[^\n]{0,120}?-p["']?([^\s"'$⟦]{4,200})/),
  command('smbclient', /smbclient\s[^\n]{0,120}?(?:-U|--user)[ =]["']?[^\s%"']{1,80}%([^\s"'$⟦]{4,200})/),
  command('mysqladmin', /mysqladmin\s[^\n]{0,120}?\spassword\s{1,3}["']?([^\s"'$⟦]{4,200})/),
  command('plink pscp psftp', /p(?:link|scp|sftp)\s[^\n]{0,120}?-pw\s{1,3}["']?([^\s"'$⟦]{4,200})/),
  command('ssh-keygen', /ssh-keygen\s[^\n]{0,120}?-N\s{0,3}["']?([^\s"'$⟦]{4,200})/),
  command(
    'poetry composer',
    /(?:poetry|composer)\s[^\n]{0,60}?http-basic\.\S{1,80}\s{1,3}\S{1,80}\s{1,3}["']?([^\s"'$⟦]{4,200})/,
  ),
  command('convertto-securestring', /ConvertTo-SecureString\s{1,3}(?:-String\s{1,3})?["']?((?!-)[^\s"'$()⟦]{4,200})/i),
  command('sqlplus', /sqlplus\s[^\n]{0,40}?[\w.]{1,40}\/([^\s@"'$⟦]{4,100})(?=@)/),
  // What is handed over on standard input.
  command(
    'echo printf',
    /(?:echo|printf)\s{1,3}["']?[^\s:"'$|]{1,40}:([^\s"'$⟦|]{4,200})(?=["']?\s{0,3}\|[^\n|]{0,60}?chpasswd)/,
  ),
  command(
    'echo printf',
    /(?:echo|printf)\s{1,3}(?:-n\s{1,3})?(?:["']?%s(?:\\{1,2}n)?["']?\s{1,3})?["']?([^\s"'$⟦|]{4,300})(?=["']?\s{0,3}\|[^\n|]{0,120}?(?:--password-stdin|--with-token|--passphrase-fd|passwd\s{1,3}--stdin|\ssudo\s{1,3}-\w{0,4}S|\s-pass(?:in)?\s{1,3}stdin|\ssecrets?\s{1,3}(?:set|put|create)\s|\senv\s{1,3}add\s{1,3}\w{0,40}(?:PASS|SECRET|TOKEN|KEY)))/,
  ),
  // `auth=("ada", "…")` of Python's requests.
  token(
    'password',
    'auth=( auth( basicauth( pscredential( networkcredential(',
    /(?:auth=?|basicauth|(?:ps|network)credential)\(\s{0,4}["'][^"'\n]{1,80}["']\s{0,2},\s{0,4}["']([^"'\s\\⟦]{4,200})(?=["']\s{0,2}\))/i,
  ),
  command('redis-cli', /redis-cli\s[^\n]{0,120}?(?:-a|AUTH|auth)\s{1,3}["']?([^\s"'$⟦]{4,200})/),
  token(
    'password',
    'requirepass masterauth',
    /(?:requirepass|masterauth)[ \t]{1,8}["']?((?=[^\s\d]{0,60}\d)[^\s"'$⟦]{4,200})/,
  ),
  // What Docker and npm write down is a name and a password in base64.
  token(
    'authorization',
    '"auth" _auth',
    /(?:"auth"\s{0,4}:\s{0,4}"|_auth\s{0,3}=\s{0,3}["']?)((?=[A-Za-z+/]{0,40}[0-9=])[A-Za-z0-9+/]{12,500}={0,2})(?=["'\s]|$)/,
  ),
  // Django's own generator uses brackets, which elsewhere tell code.
  token(
    'secret',
    'secret_key',
    /SECRET_KEY["']?\s{0,4}[=:]\s{0,4}["']((?=[^\d"']{0,40}\d)[A-Za-z0-9!@#$%^&*(_=+)-]{40,90})(?=["'])/,
  ),
  // In lines of their own there may be their numbers before them.
  apart(
    'netrc',
    'machine default',
    /(?:machine\s{1,4}\S{1,120}|default)\s[\s\d→:|+#>-]{0,24}login\s{1,4}\S{1,120}\s[\s\d→:|+#>-]{0,24}password\s{1,4}([^\s⟦]{3,300})/,
  ),
  // `root:…@tcp(db:3306)/tide` of Go, `jdbc:oracle:thin:ada/…@//db` of Java.
  around('url-password', '@tcp( @unix(', /[^\s"'`⟦(]/, 120, /[^\s:@"'`⟦]{1,60}:([^\s"'`⟦]{4,100})(?=@(?:tcp|unix)\()/),
  token('url-password', ':thin:', /:thin:[\w.]{1,40}\/([^\s@"'$⟦]{4,100})(?=@)/),
  token('pgpass', '*:*:*:', /\*:\*:\*:[\w.-]{1,63}:([^\s:"'⟦]{4,120})/),
  token('pgpass', ':5432: :5433: :6432:', /:\d{4}:[\w*-]{1,63}:[\w*.-]{1,63}:([^\s:"'⟦]{4,120})/),
  apart(
    'password-hash',
    '$2a$ $2b$ $2y$ $apr1$ $1$ $5$ $6$ $y$ $7$ $argon2 $scrypt$ $pbkdf2',
    /\$(?:2[aby]\$\d\d\$[A-Za-z0-9./]{53}|(?:apr1|1)\$[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{22}|[56]\$(?:rounds=\d{1,9}\$)?[A-Za-z0-9./]{1,16}\$[A-Za-z0-9./]{43,86}|[y7]\$[A-Za-z0-9./]{1,10}\$[A-Za-z0-9./]{1,86}\$[A-Za-z0-9./]{43}|argon2(?:id|i|d)\$v=\d{1,3}\$[a-z0-9=,]{5,60}\$[A-Za-z0-9+/]{8,100}\$[A-Za-z0-9+/]{16,200}|scrypt\$[^\s$]{1,60}\$[A-Za-z0-9+/=]{8,100}\$[A-Za-z0-9+/=]{16,200}|pbkdf2[\w-]{0,12}\$\d{1,8}\$[A-Za-z0-9+/.=]{8,100}\$[A-Za-z0-9+/.=]{16,200})/,
  ),
  token(
    'password-hash',
    '{ssha} {sha} {ssha512} {crypt} {pbkdf2',
    /\{(?:S?SHA\d{0,3}|CRYPT|PBKDF2[\w-]{0,12})\}[A-Za-z0-9+/=.$]{20,200}/i,
  ),
  around('ntlm-hash', ':::', /[A-Fa-f0-9:]/, 65, /[A-Fa-f0-9]{32}:[A-Fa-f0-9]{32}:::/),
  apart(
    'wireguard-key',
    'privatekey presharedkey',
    /(?:PrivateKey|PresharedKey)\s{0,4}=\s{0,4}([A-Za-z0-9+/]{42,43}=)/,
  ),
  // The words of a wallet; those of the tools that everybody has do not count.
  apart(
    'mnemonic',
    'mnemonic phrase seed',
    /(?:mnemonic|phrase|seed)["'\\]{0,4}\s{0,4}[:=]\s{0,4}["'\\]{0,4}((?!test test |abandon abandon )(?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![A-Za-z])/i,
  ),
  apart('otp-secret', 'otpauth://', /otpauth:\/\/[^\s"'<>⟦]{0,200}?[?&]secret=([A-Za-z2-7]{16,128}=*)/i),
  apart('crypto-extended-key', 'xprv zprv yprv', /[xyz]prv[1-9A-HJ-NP-Za-km-z]{100,112}/),
]
