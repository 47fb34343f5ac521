#!/usr/bin/env node

// What `clew` starts with: the files beside it are loaded together with the code that V8 made of them the last time, so
// that they are not compiled again. Without such code, or with code that does not fit, all of it works the same, later.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, Script } from 'node:vm'
import { nodePart } from '../source/node-part.ts'
import type { SetFlags } from '../source/optimising.ts'
import { optimiseLate } from '../source/optimising.ts'
import { isTerminal } from './is-terminal.ts'
import type { CompiledFile } from './kept-code.ts'
import { keepCode, keptCode } from './kept-code.ts'

// What all commands use of Node comes first: Node keeps code of its own parts, and V8 takes none of it once a flag is set.
process.getBuiltinModule('node:os')
void process.getBuiltinModule('node:util').parseArgs
if (isTerminal(1)) void process.stdout
// And what only accounts use: a kept ledger is deflated, and behind that stand all streams of Node.
if (process.argv[2] === 'usage') process.getBuiltinModule('node:zlib')

// Most commands are done before the code that V8 would make faster has paid for it. What runs long still gets it.
optimiseLate(flagSetter())

const folder = import.meta.dirname
const kept = keptCode(folder, process.argv[2] ?? '', process.env)
if (kept === null) requireFrom(folder)('./main.js')
else {
  const compiled: CompiledFile[] = []
  loaderFor(folder, (file, source) => {
    const script = compile(join(folder, file), source, kept.codeOf(file))
    compiled.push({ file, script })
    return script
  })('./main.js')
  process.on('exit', (exitCode) => {
    if (exitCode === 0) keepCode(kept, compiled)
  })
}

/** `node:v8` loads streams and all that belongs to them, for one function of Node's own part below it. */
function flagSetter(): SetFlags {
  const part = nodePart<{ readonly setFlagsFromString: SetFlags }>('v8')
  return part?.setFlagsFromString ?? process.getBuiltinModule('node:v8').setFlagsFromString
}

type Load = (id: string) => unknown
type Wrapped = (exports: unknown, require: Load, module: { exports: unknown }, path: string, folder: string) => void

/** `require` for the files of this folder: each is run once, and may ask for one that is not finished. */
function loaderFor(folder: string, compiledFrom: (file: string, source: string) => Script): Load {
  const modules = new Map<string, { exports: unknown }>()
  const load = (id: string): unknown => {
    if (!id.startsWith('./') || !id.endsWith('.js')) return process.getBuiltinModule(id) ?? requireFrom(folder)(id)
    const file = id.slice(2)
    const known = modules.get(file)
    if (known !== undefined) return known.exports
    const module: { exports: unknown } = { exports: {} }
    modules.set(file, module)
    const path = join(folder, file)
    const run = compiledFrom(file, readFileSync(path, 'latin1')).runInThisContext() as Wrapped
    run(module.exports, load, module, path, folder)
    return module.exports
  }
  return load
}

/** Node's own, which takes a millisecond to be made: mostly it is not needed. */
function requireFrom(folder: string): Load {
  return process.getBuiltinModule('node:module').createRequire(join(folder, 'main.js'))
}

function compile(filename: string, source: string, cachedData: Buffer | undefined): Script {
  return new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  })
}
