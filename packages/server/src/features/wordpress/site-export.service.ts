import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Id } from '@panel/contract/common'
import { type WorkerCall, workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Dependencies } from '../../dependencies.ts'
import type { SendArchive } from '../../http/send-archive.ts'
import { makeStagingDirectory, removeStaged, stagedSize } from '../../infra/staging/staging.ts'
import { fileStoreStaging } from '../../process/paths.ts'
import { type AuditOrigin, recordAuditAlone } from '../audit/recording.service.ts'
import { archiveLimit } from '../files/files.limits.ts'
import { projectTree } from '../files/project-files.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { requireFreeDisk } from '../../process/free-disk-space.ts'
import { siteArchive } from './site-archive.service.ts'
import { openSiteDatabase } from './site-database.service.ts'
import { notExported } from './site-layout.policy.ts'
import { dumpLimit, getOwnSite } from './wordpress-access.ts'

type Deps = Pick<
  Dependencies,
  | 'config'
  | 'databaseDump'
  | 'databaseServers'
  | 'db'
  | 'engine'
  | 'features'
  | 'fileStore'
  | 'freeDiskBytes'
  | 'hostFirewall'
  | 'hostHelper'
  | 'hostsFiles'
  | 'nodes'
  | 'instanceId'
  | 'logger'
  | 'network'
  | 'nodeId'
  | 'now'
  | 'secretBox'
>

/** The database is dumped first: its errors become a response, later ones reset the connection. */
export async function exportSite(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  { send, signal }: { send: SendArchive; signal: AbortSignal }
): Promise<void> {
  await send(await openExport(deps, origin, userId, projectId, { signal }))
}

const openExport = workerVerb('wordpress.export', [Origin, Id, Id], openArchive, {
  timeoutMs: Infinity,
  isSecret: true
})

interface SiteArchive {
  name: string
  stream: Readable
}

/** Holds its slot and the dump file until the archive has been read. */
async function openArchive(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  { signal }: WorkerCall
): Promise<SiteArchive> {
  const project = await getOwnSite(deps.db, projectId, userId)
  return new Promise((resolve, reject) => {
    const work = async () => {
      const path = await newDumpPath(deps)
      try {
        const archive = await packSite(deps, origin, project, { path, signal })
        resolve(archive)
        await finished(archive.stream).catch(() => {}) // the reader receives the error
      } finally {
        await removeStaged(path)
      }
    }
    archiveLimit.run(userId, work).catch(reject)
  })
}

async function packSite(
  deps: Deps,
  origin: AuditOrigin,
  project: ProjectRow,
  { path, signal }: { path: string; signal: AbortSignal | undefined }
): Promise<SiteArchive> {
  const { userId } = project
  const tree = await projectTree(deps, project, { protects: 'nothing' })
  const { account } = await openSiteDatabase(deps, project, tree)
  const maxBytes = await requireFreeDisk(deps)
  await dumpLimit.run(userId, () =>
    deps.databaseDump.dump('MYSQL', account, path, { maxBytes, signal, isWithoutPrograms: true })
  )
  const size = await stagedSize(path)
  // Imports, here and at most hosts, reject links.
  const files = await tree.pack('', { skip: notExported, links: 'resolved' })
  await recordAuditAlone(deps, origin, {
    action: 'wordpress.exported',
    actorId: userId,
    targetId: project.id,
    metadata: { name: project.name, database: account.database }
  })
  return { name: `${project.name}.tar.gz`, stream: siteArchive({ path, size }, files) }
}

/** The file store empties this directory after a crash. */
async function newDumpPath({ config }: Pick<Deps, 'config'>): Promise<string> {
  const directory = fileStoreStaging(config)
  await makeStagingDirectory(directory)
  return join(directory, `dump-${randomUUID()}`)
}
