import { diskCleanupKinds, type DiskCleanupPreview, type ServerDiskFileSystem } from '@panel/contract/server-disk'
import { openDependencies, type Dependencies } from '../dependencies.ts'
import { recordAuditAlone } from '../features/audit/recording.service.ts'
import { features } from '../features/index.ts'
import { cleanKind, previewCleanup } from '../features/server-disk/cleanup.service.ts'
import { measureDisksNow } from '../features/server-disk/measuring.jobs.ts'
import { getServerDisk } from '../features/server-disk/server-disk.service.ts'
import { createLogger } from '../process/logger.ts'
import { sizeText } from '../text/size-text.ts'
import type { CommandContext } from './command.ts'
import { withStoreAddress } from './store.ts'

const usage = 'Usage: ./panel disk [clean [--yes]]'

/** `./panel disk` measures and shows what takes the room; `clean` shows what can go, and with --yes removes it. */
export async function disk({ args, env }: CommandContext): Promise<void> {
  const [command, flag, ...rest] = args
  const isClean = command === 'clean'
  if ((command !== undefined && !isClean) || (flag !== undefined && flag !== '--yes') || rest.length > 0)
    throw new Error(usage)
  await withStoreAddress(env, async (config, databaseUrl) => {
    const logger = createLogger('error')
    const deps = await openDependencies(config, logger, databaseUrl)
    try {
      if (isClean) await clean({ ...deps, features }, flag === '--yes')
      else await show({ ...deps, features })
    } finally {
      await deps.close()
    }
  })
}

async function show(deps: Dependencies): Promise<void> {
  await measureDisksNow(deps)
  const { disks, projects, forecast } = await getServerDisk(deps)
  for (const each of disks) print(diskLines(each))
  const days = forecast?.daysUntilFull ?? null
  if (days !== null) print([`At the current growth the disk of the panel is full in ${Math.floor(days)} days.`, ''])
  const largest = projects.slice(0, 10).map(({ name, bytes }) => row(bytes, name))
  if (largest.length > 0) print(['Largest projects:', ...largest, ''])
  print(['./panel disk clean shows what can go.'])
}

const diskLines = ({ path, usedBytes, freeBytes, kinds }: ServerDiskFileSystem): string[] => [
  `${path}: ${sizeText(usedBytes)} used, ${sizeText(freeBytes)} free`,
  ...kinds
    .filter(({ bytes }) => bytes > 0)
    .map(({ kind, bytes }) => row(bytes, kind.toLowerCase().replaceAll('_', ' '))),
  ''
]

/** Never what the panel did not make: that is chosen on the page. */
async function clean(deps: Dependencies, isConfirmed: boolean): Promise<void> {
  const { groups } = await previewCleanup(deps)
  const chosen = groups.filter(({ isRecommended }) => isRecommended)
  print(previewLines({ groups: chosen }))
  if (!isConfirmed) return print(['Nothing was removed. Run ./panel disk clean --yes to remove it.'])
  const kinds = diskCleanupKinds.filter((kind) => chosen.some((group) => group.kind === kind && group.count > 0))
  await recordAuditAlone(deps, {}, { action: 'server_disk.cleanup_started', actorId: null, targetId: null, metadata: { kinds } }) // oxfmt-ignore
  for (const kind of kinds) {
    const { removed, failed, bytes, problem } = await cleanKind(deps, kind, { signal: new AbortController().signal })
    const left = failed === 0 ? '' : `, ${failed} stay because they are in use`
    print([row(bytes, `${nameOf(kind)}: ${removed} removed${left}${problem === null ? '' : `. ${problem}`}`)])
  }
}

const previewLines = ({ groups }: DiskCleanupPreview): string[] =>
  groups.flatMap(({ kind, about, count, bytes, problem }) => [
    row(bytes, problem === null ? `${nameOf(kind)} (${count}). ${about}` : `${nameOf(kind)}: ${problem}`)
  ])

const nameOf = (kind: string): string => kind.toLowerCase().replaceAll('_', ' ')
const row = (bytes: number, text: string): string => `  ${sizeText(bytes).padStart(9)}  ${text}`
const print = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`)
