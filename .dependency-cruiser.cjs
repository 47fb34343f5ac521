// The folders are the walls; this allow-list is the mortar. Data flows to the right, imports point to the left, and two
// folders on one level never import each other. Every folder may import base. See ARCHITECTURE.md.

/** What all that stands at the end of the way may import: those who answer somebody. */
const BELOW = ['source', 'record', 'graph', 'conversation', 'digest', 'redact', 'render', 'load', 'search']

/** Those that write, or read what others left, on a person's behalf. */
const KEEPING = ['disk', 'archive', 'store', 'mend', 'relocate', 'recover']

/** folder → folders it may import */
const ALLOWED = {
  base: [],
  source: [],
  record: ['source'],
  graph: ['record'],
  conversation: ['record', 'graph', 'source'],
  digest: ['record', 'conversation'],
  redact: [],
  render: ['record', 'conversation', 'digest', 'redact'],
  load: ['source', 'record', 'graph', 'conversation'],
  search: ['source', 'record', 'graph', 'conversation', 'digest', 'load'],
  disk: [],
  archive: ['source', 'disk'],
  store: ['source', 'record', 'graph', 'conversation', 'load', 'disk'],
  mend: ['source', 'record', 'graph', 'conversation', 'load', 'disk', 'archive', 'store'],
  relocate: ['source', 'record', 'graph', 'conversation', 'load', 'disk', 'archive', 'store'],
  recover: ['source', 'record', 'graph', 'conversation', 'load', 'search'],
  prose: ['digest', 'redact'],
  notebook: [...BELOW, 'prose'],
  server: [...BELOW, ...KEEPING, 'notebook'],
  web: ['server'],
  cli: [...BELOW, ...KEEPING, 'prose', 'notebook', 'server'],
}

/** Where another folder may be reached for its types alone. */
const TYPES_ONLY = { record: ['source'], conversation: ['source'] }

/** The browser knows what the server says, and nothing of how. */
const API = '^src/server/api/'

/** The core runs in a browser: no file system, clock, environment or network. */
const PURE = ['base', 'record', 'graph', 'conversation', 'digest', 'redact', 'render']

const walls = Object.entries(ALLOWED).map(([folder, allowed]) => ({
  name: `walls-${folder}`,
  comment: `${folder} may import ${['base', ...allowed].join(', ')}`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/(${[folder, 'base', ...allowed].join('|')})/` },
}))

const types = Object.entries(TYPES_ONLY).flatMap(([folder, others]) =>
  others.map((other) => ({
    name: `types-only-${folder}-${other}`,
    comment: `${folder} may know the types of ${other}, not run its code`,
    severity: 'error',
    from: { path: `^src/${folder}/` },
    to: { path: `^src/${other}/`, pathNot: `^src/${other}/model\\.ts$` },
  })),
)

module.exports = {
  forbidden: [
    ...walls,
    ...types,
    {
      name: 'web-knows-the-api',
      comment: 'the browser shares one folder with the server',
      severity: 'error',
      from: { path: '^src/web/' },
      to: { path: '^src/server/', pathNot: API },
    },
    {
      name: 'types-only-web-server',
      comment: 'the browser may know the types of the server, not run its code',
      severity: 'error',
      from: { path: '^src/web/' },
      to: { path: '^src/server/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'api-knows-nothing',
      comment: 'what is shared with the browser needs nothing else',
      severity: 'error',
      from: { path: API },
      to: { pathNot: API },
    },
    {
      name: 'pure-core',
      comment: 'the core touches nothing of the world',
      severity: 'error',
      from: { path: `^src/(${PURE.join('|')}|index\\.ts)` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'browser-entry',
      comment: 'what "." exports must not lead to a file that reads the disk',
      severity: 'error',
      from: { path: '^src/index\\.ts$' },
      to: {
        path: '^src/(source|load|search|disk|archive|store|mend|relocate|recover|prose|notebook|cli)/',
        pathNot: '^src/source/model\\.ts$',
        reachable: true,
      },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: 'src/(index|node)\\.ts$|worker\\.ts$' },
      to: {},
    },
    {
      name: 'library-dependencies',
      comment: 'what the library runs has to be installed; command and page are bundled, and have the rest in them',
      severity: 'error',
      from: { path: '^src/(index|node)\\.ts$' },
      to: { path: '^node_modules/(?!@photostructure/sqlite/)', reachable: true },
    },
    // Debt: exceptions stand below, each with a reason. There are none.
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'], conditionNames: ['import', 'default'] },
  },
}
