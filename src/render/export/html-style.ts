// How a page looks. One accent, the red thread, marks what a person said; all else is ink, and two colours for what was
// added and removed. Every pair of text and ground has a contrast of at least 4.5 in both schemes.

/** Stands in the policy of the page, which lets in no other style; a test compares it with the text below. */
export const STYLE_HASH = 'sha256-u3TVwNpYpHB3SagY64O1o4lHFHsP5wDCkVV38vtlaHY='

export const STYLE = `
:root{color-scheme:light dark;--paper:#fcfbf8;--ink:#23262b;--soft:#5c636d;--line:#e2ddd4;--thread:#9f3a2c;--tint:#f7efe8;--ground:#f3f0ea;--good:#2c6a40;--bad:#a8281f;--ins:#1d5731;--ins-ground:#e2f1e4;--del:#8c231b;--del-ground:#fae5e2;--red:#a8281f;--green:#2c6a40;--yellow:#7a5a00;--blue:#2a5aa6;--magenta:#8a3a86;--cyan:#1f6570}
@media (prefers-color-scheme:dark){:root{--paper:#17181b;--ink:#e3e1dc;--soft:#a2a8b1;--line:#33363c;--thread:#f0998b;--tint:#26211f;--ground:#1f2125;--good:#86c79a;--bad:#f29a90;--ins:#a5dcb4;--ins-ground:#1b2f22;--del:#f3b0a8;--del-ground:#3a2120;--red:#f29a90;--green:#86c79a;--yellow:#dcc06a;--blue:#93b8f0;--magenta:#dba2d7;--cyan:#84c7d1}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.62 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:break-word}
a{color:inherit;text-decoration-color:var(--soft);text-underline-offset:.15em}
a:hover{text-decoration-color:currentColor}
:focus-visible{outline:2px solid var(--thread);outline-offset:2px;border-radius:3px}
:target{scroll-margin-top:1rem}
.prompt:target,.said:target,.call:target,.fold:target,.boundary:target,.quiet:target{box-shadow:0 0 0 3px var(--paper),0 0 0 5px var(--thread);border-radius:6px}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.875em}
p,ul,ol,pre,blockquote,.table{margin:.7em 0}
ul,ol{padding-left:1.5em}
li{margin:.2em 0}
h3,h4,h5,h6{margin:1.4em 0 .4em;line-height:1.3;font-size:1.05rem}
h3{font-size:1.2rem}
hr{border:0;border-top:1px solid var(--line);margin:1.6em 0}
.head{max-width:66rem;margin:0 auto;padding:3rem 1.25rem 1.6rem}
.head h1{margin:.2rem 0 .8rem;font-size:clamp(1.5rem,1.1rem + 1.8vw,2.15rem);line-height:1.2;font-weight:680;letter-spacing:-.012em;text-wrap:balance}
.by{margin:0 0 .35rem;color:var(--soft);font-size:.8rem;line-height:1.4;letter-spacing:.01em}
.facts{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;margin:0;padding:0;list-style:none;color:var(--soft);font-size:.9rem}
.facts li{margin:0}
.note{margin:.9rem 0 0;color:var(--soft);font-size:.85rem}
.frame{max-width:66rem;margin:0 auto;padding:0 1.25rem}
main{min-width:0;max-width:46rem}
.side{display:none}
.toc{margin:0 0 1.5rem;border:1px solid var(--line);border-radius:8px}
.toc summary{padding:.6rem .9rem;font-weight:600;list-style-position:inside}
.toc ol,.side ol,.index{list-style:none;margin:0;padding:0}
.toc ol{border-top:1px solid var(--line);padding:.4rem 0;max-height:60vh;overflow:auto}
.toc a,.side a{display:flex;gap:.6rem;padding:.3rem .9rem;text-decoration:none;font-size:.88rem;line-height:1.4}
.toc a:hover,.side a:hover{background:var(--ground)}
.number{flex:none;min-width:1.4em;text-align:right;color:var(--thread);font-variant-numeric:tabular-nums}
.index li{padding:.55rem 0;border-bottom:1px solid var(--line);margin:0}
.index a{font-weight:600;text-decoration:none}
.index a:hover{text-decoration:underline}
.turn{padding:.4rem 0 1.8rem}
.turn+.turn{border-top:1px solid var(--line)}
.turn>h2{display:flex;align-items:baseline;gap:.8rem;margin:1.2rem 0 .9rem;font-size:1rem;line-height:1.3;font-weight:400}
.turn>h2 a{color:var(--thread);font-size:1.15rem;font-weight:680;text-decoration:none;font-variant-numeric:tabular-nums}
.turn>h2 a:hover{text-decoration:underline}
.when{color:var(--soft);font-size:.82rem;font-variant-numeric:tabular-nums}
.prompt{margin:0 0 1.1rem;padding:.8rem 1.1rem .9rem;background:var(--tint);border-left:3px solid var(--thread);border-radius:2px 8px 8px 2px}
.prompt p:last-child{margin-bottom:0}
.prompt .by{color:var(--thread)}
.plain{white-space:pre-wrap;margin:.3em 0}
.said{position:relative;margin:.8rem 0}
.said>.mark{position:absolute;top:0;right:100%}
.said>.mark+*{margin-top:0}
.said.is-cut>p{display:inline}
.cut{color:var(--soft);margin-left:.3em}
.mark{color:var(--soft);text-decoration:none;opacity:0;padding:0 .3em}
:hover>.mark,.mark:focus-visible,summary:hover .mark{opacity:1}
pre{padding:.75rem .9rem;background:var(--ground);border-radius:6px;overflow:auto;line-height:1.5;tab-size:4;max-height:36rem}
pre code{font-size:.8125rem;background:none;padding:0}
code{background:var(--ground);padding:.1em .3em;border-radius:4px}
.prompt code{background:color-mix(in srgb,var(--thread) 9%,transparent)}
.prompt pre code{background:none}
blockquote{margin-left:0;padding-left:1rem;border-left:3px solid var(--line);color:var(--soft)}
.table{overflow-x:auto}
table{border-collapse:collapse;font-size:.92rem;min-width:50%}
th,td{padding:.4rem .8rem .4rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{font-weight:600;border-bottom-color:var(--soft)}
.right{text-align:right}.center{text-align:center}
.task{list-style:none}.box{margin-left:-1.3em}
summary{cursor:pointer;list-style-position:outside}
.calls{margin:.8rem 0;padding:.15rem 0;border-left:2px solid var(--line);font-size:.86rem}
.call{padding:0 0 0 .8rem}
.call>summary,div.call{display:block;position:relative;line-height:1.75;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.call>summary::-webkit-details-marker{display:none}
.call>summary:hover b{text-decoration:underline;text-underline-offset:.2em}
.call>summary code,div.call>code{background:none;padding:0;color:var(--soft);font-size:.8rem}
.call b{font-weight:600}
.status{display:inline-block;width:1.1em;color:var(--soft)}
.ok>.status,.ok>summary>.status{color:var(--good)}
.error>.status,.error>summary>.status,.denied>summary>.status,.denied>.status,.interrupted>.status,.interrupted>summary>.status{color:var(--bad)}
.reason{margin:0 0 .2rem 1.3em;color:var(--bad);font-size:.8rem;line-height:1.45;white-space:normal}
.inside{padding:.1rem 0 .6rem}
.call>.inside{padding-left:1.3em}
.call>.inside pre{margin:.4rem 0}
.what{margin:.3rem 0;color:var(--soft);font-size:.8rem}
.shell code::before{content:"$ ";color:var(--soft)}
.shell,.output{white-space:pre-wrap}
.output{border-left:2px solid var(--line);border-radius:0 6px 6px 0}
.diff{padding-left:0;padding-right:0}
.diff code{display:inline-block;min-width:100%;padding:0 .9rem}
.diff ins,.diff del{display:inline-block;min-width:calc(100% + 1.8rem);margin:0 -.9rem;padding:0 .9rem;text-decoration:none}
.diff ins{background:var(--ins-ground);color:var(--ins)}
.diff del{background:var(--del-ground);color:var(--del)}
.at{color:var(--soft)}
.lines{font-size:.78rem;font-variant-numeric:tabular-nums}
.lines ins,.lines del{text-decoration:none}
.lines ins{color:var(--good)}.lines del{color:var(--bad)}
.changed{margin:1rem 0 0;padding:.7rem 0 0}
.changed ul{list-style:none;margin:0;padding:0;font-size:.84rem}
.changed code{background:none;padding:0}
.fold{margin:.7rem 0;font-size:.9rem}
.fold>summary{color:var(--soft);list-style-position:inside}
.fold>.inside,.fold>pre{margin-left:.3rem;padding-left:1rem;border-left:2px solid var(--line)}
.thinking>.inside{color:var(--soft);font-style:italic}
.thinking>.inside pre,.thinking>.inside code{font-style:normal}
.run>.calls{margin-left:.3rem}
.quiet{margin:.5rem 0;color:var(--soft);font-size:.85rem}
.quiet b{font-weight:600}
.quiet code{white-space:pre-wrap}
.boundary{display:flex;align-items:center;gap:.9rem;margin:1.8rem 0;color:var(--soft);font-size:.84rem}
.boundary::before,.boundary::after{content:"";flex:1;border-top:3px double var(--line)}
.agent{margin:.5rem 0;padding:.5rem .9rem .6rem;border:1px solid var(--line);border-radius:8px;font-size:.92rem}
.agent .prompt{border-left-color:var(--soft)}
.agent .prompt .by{color:var(--soft)}
.todos{list-style:none;padding:0;margin:.4rem 0}
.todos li::before{content:"☐";display:inline-block;width:1.5em;color:var(--soft)}
.todos .done{color:var(--soft)}
.todos .done::before{content:"☑";color:var(--good)}
.todos .doing{font-weight:600}
.todos .doing::before{content:"◐"}
.plan,.question{padding:.5rem 1rem;border:1px solid var(--line);border-radius:8px;margin:.4rem 0;font-size:.95rem;white-space:normal}
.plan h3:first-child{margin-top:.3rem}
.question ul{margin:.3rem 0}
.chosen{font-weight:600}
.message{padding-left:.9rem;border-left:2px solid var(--line)}
.image{color:var(--soft);font-size:.85rem}
.image img{max-width:100%;height:auto;border-radius:6px;border:1px solid var(--line)}
.pages{display:flex;flex-wrap:wrap;gap:1.2rem;padding:.8rem 0;color:var(--soft);font-size:.9rem}
.foot{font-size:.88rem;color:var(--soft)}.foot p{display:inline}
footer{max-width:66rem;margin:0 auto;padding:1.5rem 1.25rem 3rem;color:var(--soft);font-size:.82rem}
.a-bold{font-weight:700}.a-dim{opacity:.75}.a-italic{font-style:italic}.a-underline{text-decoration:underline}.a-strikethrough{text-decoration:line-through}
.a-black,.a-white{color:inherit}.a-red{color:var(--red)}.a-green{color:var(--green)}.a-yellow{color:var(--yellow)}.a-blue{color:var(--blue)}.a-magenta{color:var(--magenta)}.a-cyan{color:var(--cyan)}
.a-on-red,.a-on-green,.a-on-yellow,.a-on-blue,.a-on-magenta,.a-on-cyan{box-shadow:inset 0 -.15em 0 currentColor}
@media (min-width:62rem){.frame{display:grid;grid-template-columns:15.5rem minmax(0,46rem);gap:2.5rem}.toc{display:none}.side{display:block;position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto;padding:1.2rem 0;scrollbar-width:thin}.side a{padding:.32rem .5rem;border-radius:6px}.side a span[dir]{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}.frame>main:only-child{grid-column:1/-1}}
@media (max-width:40rem){.head{padding:1.8rem 1rem 1.2rem}.frame{padding:0 1rem}.prompt{padding:.7rem .9rem}.call>.inside{padding-left:0}pre{max-height:24rem}}
@media print{:root{color-scheme:light;--paper:#fff;--ink:#111;--soft:#444;--line:#ccc;--thread:#9f3a2c;--tint:#f7f2ee;--ground:#f5f5f5;--good:#2c6a40;--bad:#a8281f;--ins:#1d5731;--ins-ground:#e2f1e4;--del:#8c231b;--del-ground:#fae5e2}body{font-size:10.5pt}.side,.toc,.mark,.pages{display:none}.frame{display:block;max-width:none}main{max-width:none}pre{max-height:none;white-space:pre-wrap}.prompt,.call,tr{break-inside:avoid}details::details-content{content-visibility:visible}}
`
