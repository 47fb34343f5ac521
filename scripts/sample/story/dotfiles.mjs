// Two short sessions in Ada's dotfiles: one with an older client, one that met a full disk.

import { agent, bash, openDisk, todos } from '../tools.mjs'

const CWD = '/home/ada/dotfiles'
const disk = openDisk(CWD, {
  'bin/battery':
    '#!/bin/sh\n# Percentage for the tmux status line.\ncat /sys/class/power_supply/*/capacity | tail -n 1\n',
  'zsh/greeting.zsh': `greeting() {\n  local text="Hello, Ada"\n  local width=\${#text}\n  local edge=\${(l:width::─:)}\n  print "┌─$edge─┐\\n│ $text │\\n└─$edge─┘"\n}\n`,
})

const plan = (first, second) => [
  { content: 'Find where the number comes from', status: first, activeForm: 'Finding the source of the number' },
  { content: 'Read the laptop battery only', status: second, activeForm: 'Choosing the laptop battery' },
]

export const battery = {
  seed: 'battery',
  cwd: CWD,
  gitBranch: 'main',
  version: '2.0.77',
  story: [
    { do: 'open', at: '2026-10-27T19:20:11Z' },
    { do: 'warmup', text: "I'm ready to search the dotfiles." },
    {
      do: 'prompt',
      after: 33,
      text: 'The battery in my tmux status line says 84% all day. I think it is the mouse. Find out where it comes from and fix it.',
    },
    { do: 'reply', seconds: 4, blocks: [todos([], plan('in_progress', 'pending'))] },
    {
      do: 'reply',
      seconds: 4,
      blocks: [
        agent({
          type: 'Explore',
          description: 'Find the battery code',
          prompt:
            'Find what prints the battery percentage in the tmux status line of /home/ada/dotfiles, and which power supplies this machine has.',
          story: [
            {
              do: 'reply',
              seconds: 3,
              blocks: [
                bash(
                  'grep -rn battery tmux; ls /sys/class/power_supply',
                  'Search for the battery',
                  "tmux/tmux.conf:14:set -g status-right '#(~/dotfiles/bin/battery)%% %H:%M'\nAC\nBAT0\nhidpp_battery_3",
                  { seconds: 0.3 },
                ),
              ],
            },
            {
              do: 'reply',
              seconds: 4,
              blocks: [
                '`tmux/tmux.conf:14` calls `bin/battery`. The machine has `BAT0` (laptop) and `hidpp_battery_3` (a wireless mouse); the script prints whichever comes last.',
              ],
            },
          ],
        }),
      ],
    },
    { do: 'reply', seconds: 3, blocks: [disk.read('bin/battery')] },
    {
      do: 'reply',
      seconds: 4,
      blocks: [
        'It is the mouse: the glob matches every power supply.',
        disk.edit(
          'bin/battery',
          'cat /sys/class/power_supply/*/capacity | tail -n 1',
          'cat /sys/class/power_supply/BAT*/capacity 2>/dev/null | head -n 1',
        ),
      ],
    },
    {
      do: 'reply',
      seconds: 3,
      blocks: [
        bash('bin/battery', 'Try it', '61', { seconds: 0.1 }),
        todos(plan('in_progress', 'pending'), plan('completed', 'completed')),
      ],
    },
    {
      do: 'reply',
      seconds: 3,
      blocks: [
        '61%, which is the laptop. `bin/battery` now reads `BAT*` only, and stays silent on machines without a battery.',
      ],
    },
    { do: 'prompt', after: 48, text: 'Great. Does the desktop then show a lonely % sign?' },
    {
      do: 'reply',
      seconds: 4,
      blocks: [
        "It would: the sign is written in `tmux.conf`, after the script. Let the script print it instead:\n\n```sh\nsed 's/$/%/' /sys/class/power_supply/BAT*/capacity 2>/dev/null | head -n 1\n```\n\nand remove `%%` from line 14. Shall I?",
      ],
    },
  ],
}

export const greeting = {
  seed: 'greeting',
  cwd: CWD,
  gitBranch: 'main',
  story: [
    { do: 'open', at: '2026-10-29T07:05:48Z', title: 'おはよう ☀️ in the zsh greeting' },
    {
      do: 'prompt',
      after: 64,
      text: 'My terminal should greet me in Japanese: おはようございます ☀️ before noon, こんばんは 🌙 after six, 頑張って 💪 in between. The box in zsh/greeting.zsh breaks as soon as I try, the right edge is off by some columns. 何が悪い？',
    },
    { do: 'reply', seconds: 4, blocks: [disk.read('zsh/greeting.zsh')] },
    {
      do: 'reply',
      seconds: 7,
      tornAfter: 'so 「おはよう」 is 4 characters but ',
      blocks: [
        `\`\${#text}\` counts characters, and the terminal counts columns: kana, kanji and most emoji take two of them, so 「おはよう」 is 4 characters but 8 columns wide. zsh can count columns itself.`,
      ],
    },
    { do: 'open', at: '2026-10-29T07:31:02Z' },
    { do: 'recover' },
    { do: 'prompt', after: 18, text: 'The disk was full, I made some room. 続けてください 🙏' },
    {
      do: 'reply',
      seconds: 5,
      blocks: [
        disk.edit(
          'zsh/greeting.zsh',
          `  local text="Hello, Ada"\n  local width=\${#text}\n`,
          `  local text="頑張って 💪"\n  (( $(date +%H) < 12 )) && text="おはようございます ☀️"\n  (( $(date +%H) >= 18 )) && text="こんばんは 🌙"\n  local width=\${(m)#text}\n`,
        ),
      ],
    },
    {
      do: 'reply',
      seconds: 4,
      blocks: [
        `\`\${#text}\` counts characters, the terminal counts columns. With the \`m\` flag zsh counts columns too:

| Greeting | characters | columns |
|---|---|---|
| おはようございます ☀️ | 12 | 21 |
| こんばんは 🌙 | 7 | 13 |
| 頑張って 💪 | 6 | 11 |

直りました。 The sun is two code points (☀ and a variation selector), so if one terminal still draws it one column wide, 🌅 is the safer choice.`,
      ],
    },
    { do: 'close', after: 5 },
  ],
}
