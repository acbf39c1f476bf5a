import type { DetectionNote } from './build-plan.ts'
import type { PackageJson } from './package-json.ts'

export interface PackageManager {
  title: string
  /** npm package of the program; undefined for npm, which Node images include. */
  install: string | undefined
  env: Readonly<Record<string, string>>
  /** Where it keeps what it downloaded. */
  cache: PackageCache
  installAll: readonly string[]
  /** Without development dependencies; undefined where the manager cannot. */
  installProduction: readonly string[] | undefined
  /** Removes development dependencies; undefined where that is not a simple offline step. */
  prune: readonly string[] | undefined
  runScript: (name: string) => readonly string[]
  notes: readonly DetectionNote[]
}

export interface PackageCache {
  directory: string
  /** For builds with the cache. */
  env?: Readonly<Record<string, string>>
  /** It cannot be used by two builds at the same time. */
  sharing?: 'locked'
}

const version = /^(npm|pnpm|yarn|bun)@(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?:\+.*)?$/

/** Uses "packageManager" in package.json if its lock file or no lock file exists, else the lock file. Pure. */
export function choosePackageManager(
  manifest: PackageJson,
  files: ReadonlySet<string>,
  text: ReadonlyMap<string, string>
): PackageManager {
  const locks = {
    npm: ['npm-shrinkwrap.json', 'package-lock.json'].find((file) => files.has(file)),
    pnpm: files.has('pnpm-lock.yaml') ? 'pnpm-lock.yaml' : undefined,
    yarn: files.has('yarn.lock') ? 'yarn.lock' : undefined,
    bun: ['bun.lock', 'bun.lockb'].find((file) => files.has(file))
  }
  const present = (['pnpm', 'yarn', 'bun', 'npm'] as const).filter((name) => locks[name] !== undefined)
  const pinned = version.exec(manifest.packageManager?.slice(0, 300) ?? '')
  const pinnedName = pinned?.[1] as keyof typeof locks | undefined
  const chosen =
    pinnedName !== undefined && (present.length === 0 || present.includes(pinnedName))
      ? pinnedName
      : (present[0] ?? 'npm')
  const pinnedVersion = chosen === pinnedName ? pinned?.[2] : undefined
  const notes: DetectionNote[] = []
  if (present.length > 1) {
    const files = present.map((name) => locks[name]).join(', ')
    notes.push({ code: 'SEVERAL_LOCK_FILES', values: { files, used: locks[chosen] ?? chosen } })
  }
  if (present.length === 0) notes.push({ code: 'NO_LOCK_FILE' })
  const head = text.get(locks[chosen] ?? '')?.slice(0, 64 * 1024) ?? ''
  const found = {
    npm: () => npm(locks.npm),
    pnpm: () => pnpm(pinnedVersion, locks.pnpm !== undefined, head),
    yarn: () => yarn(pinnedVersion, locks.yarn !== undefined, head),
    bun: () => bun(pinnedVersion, locks.bun !== undefined)
  }[chosen]()
  return { ...found, notes }
}

type Found = Omit<PackageManager, 'notes'>

const npm = (lock: string | undefined): Found => ({
  title: 'npm',
  install: undefined,
  env: { NPM_CONFIG_AUDIT: 'false', NPM_CONFIG_FUND: 'false', NPM_CONFIG_UPDATE_NOTIFIER: 'false' },
  cache: { directory: '/root/.npm' },
  installAll: ['npm', lock === undefined ? 'install' : 'ci', '--include=dev'],
  installProduction: ['npm', lock === undefined ? 'install' : 'ci', '--omit=dev'],
  prune: ['npm', 'prune', '--omit=dev'],
  runScript: (name) => ['npm', 'run', name]
})

function pnpm(pinned: string | undefined, isLocked: boolean, head: string): Found {
  const lockVersion = Number(/^lockfileVersion:[ \t]*['"]?(\d{1,3})/m.exec(head.slice(0, 1000))?.[1] ?? 9)
  const wanted = pinned ?? (lockVersion <= 5 ? '7' : lockVersion <= 8 ? '8' : '9')
  const frozen = isLocked ? '--frozen-lockfile' : '--no-frozen-lockfile'
  return {
    title: `pnpm ${wanted}`,
    install: `pnpm@${wanted}`,
    env: {},
    // By default it lies on the file system of the project.
    cache: { directory: '/root/.pnpm-store', env: { npm_config_store_dir: '/root/.pnpm-store' } },
    installAll: ['pnpm', 'install', frozen, '--prod=false'],
    installProduction: ['pnpm', 'install', frozen, '--prod'],
    prune: ['env', 'CI=true', 'pnpm', 'prune', '--prod'],
    runScript: (name) => ['pnpm', 'run', name]
  }
}

// Installs and runs scripts with Bun; what the scripts start is Node.js unless they name `bun`.
function bun(pinned: string | undefined, isLocked: boolean): Found {
  const wanted = pinned ?? '1'
  const install = ['bun', 'install', ...(isLocked ? ['--frozen-lockfile'] : [])]
  return {
    title: `Bun ${wanted}`,
    install: `bun@${wanted}`,
    env: {},
    cache: { directory: '/root/.bun/install/cache' },
    installAll: install,
    installProduction: [...install, '--production'],
    prune: undefined,
    runScript: (name) => ['bun', 'run', name]
  }
}

function yarn(pinned: string | undefined, isLocked: boolean, head: string): Found {
  const berryLock = berryFormat(head)
  const isBerry = pinned === undefined ? berryLock > 0 : !/^[01]\./.test(pinned)
  const runScript = (name: string) => ['yarn', 'run', name]
  if (!isBerry) {
    const frozen = isLocked ? ['--frozen-lockfile'] : []
    return {
      title: `yarn ${pinned ?? '1'}`,
      install: `yarn@${pinned ?? '1'}`,
      // Without it, yarn 1 authenticates only for scoped packages. A variable, because npm warns about the setting in a
      // shared .npmrc.
      env: { npm_config_always_auth: 'true' },
      cache: { directory: '/root/.yarn-cache', env: { YARN_CACHE_FOLDER: '/root/.yarn-cache' }, sharing: 'locked' },
      installAll: ['yarn', 'install', ...frozen, '--non-interactive', '--production=false'],
      installProduction: ['yarn', 'install', ...frozen, '--non-interactive', '--production=true'],
      prune: undefined,
      runScript
    }
  }
  const wanted = pinned ?? berryOfLock(berryLock)
  return {
    title: `yarn ${wanted}`,
    install: `@yarnpkg/cli-dist@${wanted}`,
    // node_modules works with plain node; Plug'n'Play would need its loader in every start command.
    env: { YARN_NODE_LINKER: 'node-modules', YARN_ENABLE_TELEMETRY: '0', YARN_ENABLE_GLOBAL_CACHE: 'true' },
    cache: { directory: '/root/.yarn/berry/cache' },
    installAll: ['yarn', 'install', ...(isLocked ? ['--immutable'] : [])],
    installProduction: undefined,
    prune: undefined,
    runScript
  }
}

/** `version` below `__metadata:`; 0 for yarn 1. */
function berryFormat(head: string): number {
  const lines = head.split('\n')
  const start = lines.findIndex((line) => line.trimEnd() === '__metadata:')
  const version = start < 0 ? undefined : lines.slice(start + 1, start + 10).find((line) => line.trim() !== '')
  return Number(/^[ \t]+version:[ \t]*["']?(\d{1,6})/.exec(version?.slice(0, 200) ?? '')?.[1] ?? 0)
}

/** `--immutable` rejects older lock file formats, so the yarn version must match the file. */
const berryOfLock = (format: number): string => (format <= 5 ? '2' : format <= 7 ? '3' : format === 8 ? '4.12.0' : '4')
