// The whole environment of the client: nothing of this machine's own comes through but PATH.
import { join } from 'node:path'

/** Where the client keeps its files, given its home. */
export function configFolder(home) {
  return join(home, 'claude')
}

export function cleanEnv(home, port) {
  return {
    PATH: process.env['PATH'],
    HOME: home,
    CLAUDE_CONFIG_DIR: configFolder(home),
    ANTHROPIC_API_KEY: 'sk-ant-api03-dummy-dummy-dummy',
    // Port 9 is the one that discards: a client that should not ask anything does not reach anybody.
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port ?? 9}`,
    IS_SANDBOX: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
}
