// A web shop: React, Next and what browsers make of them.

import type { Story } from './story.ts'
import { agent, bash, edit, grep, read, say, think, turn, write } from './story.ts'

const project = '/home/ada/atlas-web'

export const atlas: readonly Story[] = [
  {
    name: 'hydration',
    project,
    at: '2026-01-22T11:00:00Z',
    turns: [
      turn(
        'The console is full of: Error: Hydration failed because the initial UI does not match what was rendered on the server. Since we show delivery dates.',
        grep(
          'toLocaleDateString',
          'src/components/DeliveryDate.tsx:9:  return <time>{date.toLocaleDateString()}</time>',
        ),
        say(
          'DeliveryDate formats with the locale and zone of whoever renders it: the server in UTC and English, the browser in its own. Pass locale and timeZone down from the page, so that both sides print the same.',
        ),
      ),
    ],
  },
  {
    name: 'bundle-moment',
    project,
    at: '2026-02-03T15:00:00Z',
    gitBranch: 'perf/bundle',
    title: 'Smaller bundle without moment',
    turns: [
      turn(
        'Our first load is 480 kB. What are the largest pieces, and what can go?',
        bash(
          'npx next-bundle-analyzer --top 4',
          'moment         72 kB\nlodash         71 kB\nreact-dom      44 kB\nmapbox-gl     210 kB',
        ),
        say(
          'moment and lodash together are 143 kB. date-fns covers the six functions we use of moment in 7 kB, and lodash is used for debounce and groupBy only. mapbox-gl can be loaded when the map is opened.',
        ),
      ),
      turn(
        'Replace both, and load the map lazily.',
        edit(
          '/home/ada/atlas-web/src/lib/dates.ts',
          "import moment from 'moment'",
          "import { addDays, format } from 'date-fns'",
        ),
        bash('npm run build', 'First Load JS shared by all  141 kB'),
        say('First load went from 480 to 141 kB.'),
      ),
    ],
  },
  {
    name: 'dark-mode-flash',
    project,
    at: '2026-02-19T09:30:00Z',
    turns: [
      {
        ...turn(
          'In dark mode the page flashes white on every load. Can we keep the theme in a cookie?',
          say(
            'A cookie works: the server reads it and sets class="dark" on the html element. The pages can then no longer be cached for everybody, though, because they differ by cookie.',
          ),
        ),
        isRewound: true,
      },
      turn(
        'In dark mode the page flashes white on every load. Solve it without losing the cache.',
        write(
          '/home/ada/atlas-web/public/theme.js',
          "document.documentElement.classList.toggle('dark', localStorage.theme === 'dark')",
        ),
        say(
          'A blocking script of one line in the head sets the class before the first paint. It reads localStorage.theme, so the pages stay the same for everybody.',
        ),
      ),
    ],
  },
  {
    name: 'socket-leak',
    project,
    at: '2026-03-12T13:00:00Z',
    title: 'Memory grows on the order page',
    turns: [
      turn(
        'The tab with the order list takes 2 GB after a day. A heap snapshot shows 40,000 detached nodes.',
        read(
          '/home/ada/atlas-web/src/hooks/useOrders.ts',
          'useEffect(() => {\n  const socket = new WebSocket(url)\n  socket.onmessage = (message) => setOrders(JSON.parse(message.data))\n}, [filter])',
        ),
        think(
          'The effect has no cleanup: each change of the filter opens another WebSocket whose handler keeps the old closure alive.',
        ),
        say(
          'useOrders() opens a new WebSocket on each change of the filter and never closes the old one; every one of them keeps the list it once rendered. Return () => socket.close() from the effect.',
        ),
      ),
    ],
  },
  {
    name: 'focus-trap',
    project,
    at: '2026-04-08T10:00:00Z',
    gitBranch: 'a11y/dialog',
    turns: [
      turn(
        'With a screen reader one can tab out of the checkout dialog into the page behind it. We need that fixed before the audit on Friday.',
        edit(
          '/home/ada/atlas-web/src/components/Dialog.tsx',
          '<div className="dialog">',
          '<dialog ref={ref} aria-labelledby={titleId}>',
        ),
        say(
          'Dialog is a native <dialog> opened with showModal() now: the browser keeps the focus inside and makes the rest inert. The aria-hidden on the page behind is not needed any more.',
        ),
      ),
    ],
  },
  {
    name: 'cors-preflight',
    project,
    at: '2026-05-13T16:16:00Z',
    turns: [
      turn(
        "Access to fetch at 'https://api.atlas.example/cart' from origin 'http://localhost:3000' has been blocked by CORS policy: Response to preflight request doesn't pass access control check: No 'Access-Control-Allow-Origin' header is present on the requested resource.",
        bash(
          "curl -si -X OPTIONS https://api.atlas.example/cart -H 'Origin: http://localhost:3000'",
          'HTTP/2 401\nwww-authenticate: Bearer',
        ),
        say(
          'The API answers the preflight with 401, because the auth middleware runs before the one for CORS. A preflight never carries credentials. Swap the two in server/app.ts.',
        ),
      ),
    ],
  },
  {
    name: 'safari-date',
    project,
    at: '2026-06-02T12:12:00Z',
    turns: [
      turn(
        'Birthdays are Invalid Date in Safari only.',
        say(
          "new Date('2026-06-02 12:00') with a space is no ISO text. Chrome guesses, Safari does not. Write a T between date and time.",
        ),
      ),
    ],
  },
  {
    name: 'playwright-flake',
    project,
    at: '2026-06-30T09:00:00Z',
    turns: [
      turn(
        'One in ten runs: TimeoutError: locator.click: Timeout 30000ms exceeded. waiting for getByRole("button", { name: "Pay now" })',
        agent(
          'Read the traces of the failed runs',
          'Open the last five failed Playwright traces and tell what covers the button Pay now.',
          bash('npx playwright show-trace --json trace-5.zip | jq .overlays', '["div.cookie-banner"]'),
          say('In all five traces the cookie banner slides in over the button and takes the click.'),
        ),
        say(
          'The cookie banner slides in after two seconds and covers the button. I set the consent cookie in the fixture before the page opens; fifty runs in a row are green.',
        ),
      ),
    ],
  },
  {
    name: 'image-lcp',
    project,
    at: '2026-08-05T14:00:00Z',
    title: 'Largest contentful paint above four seconds',
    turns: [
      turn(
        'Largest contentful paint is 4.3 seconds on the start page. The hero image is only 90 kB.',
        say(
          'The image is small but late: it has loading="lazy" and is found only after the script has run. Set priority on it, which adds a preload and fetchpriority="high". Lab value afterwards: 1.9 seconds.',
        ),
      ),
    ],
  },
  {
    name: 'cart-race',
    project,
    at: '2026-09-17T10:30:00Z',
    turns: [
      turn(
        'If I click + quickly five times the cart sometimes shows 3. Looks like answers overtake each other.',
        grep(
          'setQuantity',
          'src/cart/useCart.ts:22:  const answer = await putQuantity(id, quantity)\nsrc/cart/useCart.ts:23:  setQuantity(answer.quantity)',
        ),
        say(
          'Each click sends its own PUT, and the last answer to arrive wins, not the last one sent. Number the requests and ignore answers that are older than the newest one shown; or send one request when the clicking has stopped.',
        ),
      ),
      turn(
        'Which is better for slow phones?',
        say('The second: one request after 300 ms of quiet. I did both, the number costs nothing.'),
      ),
    ],
  },
  {
    name: 'nfd-upload',
    project,
    at: '2026-10-12T15:45:00Z',
    turns: [
      turn(
        // As macOS writes names: letters and accents apart.
        'A customer cannot download her re\u0301sume\u0301.pdf, the link says 404. The file is in the bucket.',
        say(
          'macOS sends the name decomposed (NFD), the link is composed (NFC): they look alike and have other bytes. Normalise to NFC when the upload arrives, in src/upload/key.ts.',
        ),
      ),
    ],
  },
  {
    name: 'istanbul',
    project,
    at: '2026-10-22T09:40:00Z',
    turns: [
      turn(
        'The shop finder knows İzmir but not IZMIR, and nothing at all in Diyarbakır.',
        say(
          "toLowerCase() makes two characters of İ, and ı stays what it is. Fold with localeCompare and sensitivity 'base', or with Intl.Collator for Turkish, before the look-up in shops.json.",
        ),
      ),
    ],
  },
]
