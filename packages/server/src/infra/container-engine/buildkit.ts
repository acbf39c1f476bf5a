import { access, constants } from 'node:fs/promises'
import type { Run } from '../process/process.ts'
import type { Builder } from './container-engine.ts'

/** Where Debian's package and Docker's own put the plugin; also searched by the docker command. */
const plugins = ['/usr/libexec', '/usr/lib', '/usr/local/libexec', '/usr/local/lib'].map(
  (directory) => `${directory}/docker/cli-plugins/docker-buildx`
)

/** Debian 13's. Engine 20.10 ignores the cgroup that limits a build; those between were not tried. */
const oldestEngine = 26
/** The first buildx with --progress=rawjson. */
const oldestPlugin = [0, 13] as const

/** How the engine of this version builds images, by the buildx plugin of this machine. */
export async function findBuilder(engineVersion: string, run: Run, candidates = plugins): Promise<Builder> {
  const major = Number.parseInt(engineVersion, 10)
  if (!(major >= oldestEngine)) return { kind: 'classic', reason: 'OLD_ENGINE' }
  for (const plugin of candidates) {
    if (!(await isExecutable(plugin))) continue
    const { stdout } = await run([plugin, 'version'], { timeoutMs: 30_000 })
    const version = /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? ''
    return isRecent(version) ? { kind: 'buildkit', plugin, version } : { kind: 'classic', reason: 'OLD_PLUGIN' }
  }
  return { kind: 'classic', reason: 'NO_PLUGIN' }
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > oldestPlugin[0] || (major === oldestPlugin[0] && minor >= oldestPlugin[1])
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false
  )
