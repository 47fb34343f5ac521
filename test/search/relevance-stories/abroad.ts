// Sessions in languages that are written without spaces, or with spaces elsewhere, and in letters with accents.

import type { Story } from './story.ts'
import { bash, edit, say, turn } from './story.ts'

const yubin = '/home/ada/yubin'
const atlas = '/home/ada/atlas-web'

export const abroad: readonly Story[] = [
  {
    name: 'mojibake',
    project: yubin,
    at: '2026-01-08T02:00:00Z',
    title: '検索結果の文字化け',
    turns: [
      turn(
        '検索結果の住所が文字化けします。CSVは郵便局からダウンロードしたものです。',
        bash('file data/KEN_ALL.CSV', 'data/KEN_ALL.CSV: Non-ISO extended-ASCII text'),
        say('KEN_ALL.CSVはShift_JISです。読み込むときにiconvでUTF-8に変換すれば直ります。'),
      ),
    ],
  },
  {
    name: 'zenkaku',
    project: yubin,
    at: '2026-03-06T01:30:00Z',
    turns: [
      turn(
        '全角の数字で郵便番号を入力すると見つかりません。１００−０００１のように入れる人が多いです。',
        edit(
          '/home/ada/yubin/src/search.ts',
          'const key = input',
          "const key = input.normalize('NFKC').replace(/[^0-9]/g, '')",
        ),
        say('入力をNFKCで正規化してから、数字以外を取り除くようにしました。半角でも全角でも同じ結果になります。'),
      ),
    ],
  },
  {
    name: 'wareki',
    project: yubin,
    at: '2026-05-15T03:00:00Z',
    turns: [
      turn(
        '和暦の変換が間違っています。令和元年が1年ではなく0年になります。',
        say('元年の判定がありません。「元」を1として扱い、令和は2019年5月1日から数えます。'),
      ),
    ],
  },
  {
    name: 'kyoto',
    project: yubin,
    at: '2026-08-13T04:00:00Z',
    turns: [
      turn(
        '京都の通り名が長すぎて、住所の欄からはみ出します。',
        say('通り名を二行目に分けました。京都市だけの処理です。'),
      ),
    ],
  },
  {
    name: 'zh-login',
    project: atlas,
    at: '2026-02-14T06:00:00Z',
    turns: [
      turn(
        '登录以后页面一直在转圈，刷新一次就好了。',
        say('登录接口返回的令牌还没有写进存储，页面就已经开始请求数据，所以第一次请求是401。先等令牌保存好再跳转。'),
      ),
    ],
  },
  {
    name: 'zh-cache',
    project: atlas,
    at: '2026-04-17T06:30:00Z',
    turns: [
      turn(
        '商品价格改了，可是首页还显示旧价格，缓存什么时候失效？',
        say('首页缓存一小时。价格变动时应当主动清除缓存，我在后台加了一个按标签失效的接口。'),
      ),
    ],
  },
  {
    name: 'zh-index',
    project: '/home/ada/ledger',
    at: '2026-06-05T07:00:00Z',
    turns: [
      turn(
        '这个查询要八秒，帮我看看为什么没有用索引。',
        bash('psql -c "explain analyze select ..."', 'Seq Scan on orders  (cost=0.00..189321.00 rows=1)'),
        say('条件里对日期列用了函数，所以普通索引用不上。改成范围条件，或者建一个表达式索引。'),
      ),
    ],
  },
  {
    name: 'ko-double-order',
    project: atlas,
    at: '2026-03-30T05:00:00Z',
    turns: [
      turn(
        '결제 버튼을 두 번 누르면 주문이 중복됩니다.',
        say('버튼을 누르는 즉시 비활성화하고, 서버에서도 주문 번호로 중복을 막았습니다.'),
      ),
    ],
  },
  {
    name: 'ko-font',
    project: atlas,
    at: '2026-07-09T05:30:00Z',
    turns: [
      turn(
        '한글 글꼴이 너무 커서 첫 화면이 느립니다.',
        say('글꼴을 자주 쓰는 2350자로 줄였더니 4.2MB에서 610kB가 되었습니다.'),
      ),
    ],
  },
  {
    name: 'th-save',
    project: atlas,
    at: '2026-05-25T03:00:00Z',
    turns: [
      turn('ปุ่มบันทึกไม่ทำงานบนมือถือ แต่บนคอมพิวเตอร์ใช้ได้ปกติ', say('แถบเครื่องมือด้านล่างบังปุ่มบันทึกอยู่ จึงกดไม่โดน ฉันย้ายปุ่มขึ้นมาแล้ว')),
    ],
  },
  {
    name: 'th-wrap',
    project: atlas,
    at: '2026-09-11T03:30:00Z',
    turns: [turn('ข้อความภาษาไทยตัดคำผิดตำแหน่ง', say('ใช้ Intl.Segmenter เพื่อหาขอบเขตของคำ แล้วแทรกช่องว่างความกว้างศูนย์'))],
  },
  {
    name: 'fr-deploy',
    project: '/home/ada/infra',
    at: '2026-06-15T12:00:00Z',
    turns: [
      turn(
        'Le déploiement échoue depuis la mise à jour du cluster, la sonde de vivacité répond trop tard.',
        say(
          "La sonde attend une seconde, mais l'application met vingt secondes à démarrer. J'ai ajouté une startupProbe, et le déploiement passe.",
        ),
      ),
    ],
  },
  {
    name: 'vi-address',
    project: atlas,
    at: '2026-08-27T04:20:00Z',
    turns: [
      turn(
        'Địa chỉ giao hàng bị mất dấu khi in hóa đơn.',
        say('Phông chữ của máy in không có các ký tự tiếng Việt. Tôi đã nhúng phông Noto Sans vào tệp PDF.'),
      ),
    ],
  },
]
