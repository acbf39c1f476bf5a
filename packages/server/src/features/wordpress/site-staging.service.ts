import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sentenceText } from '@panel/contract/sentences'
import type { WordpressNotes } from '@panel/contract/wordpress'
import { wordpressNoteTexts } from '@panel/contract/wordpress-texts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { DatabaseAccount } from '../../infra/database-server/database-server.ts'
import { listHostnames, listProjectRoutes, listRouteFacts } from '../domains/project-route-access.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import {
  finishStagedDirectory,
  listStaged,
  listStagedFiles,
  makeStagingDirectory,
  moveStaged,
  readStagedHead,
  removeStaged
} from '../../infra/staging/staging.ts'
import { findUid } from '../users/account-access.ts'
import { requireFreeDisk } from '../../process/free-disk-space.ts'
import type { DumpReport } from './dump-filter.policy.ts'
import { chooseDump, openDump } from './dump-source.service.ts'
import { notesOf } from './import-notes.policy.ts'
import type { StagingPaths } from './import-paths.service.ts'
import { rewriteValue } from './php-serialized.policy.ts'
import {
  addressReplacer,
  formatSiteAddress,
  parseSiteAddress,
  siteAddressOf,
  type SiteAddressParts
} from './site-address.policy.ts'
import { findSite, isExcluded, isRegenerated, type SiteLayout } from './site-layout.policy.ts'
import { findTablePrefix } from './site-tables.policy.ts'
import { newSalts } from './wordpress-site.service.ts'
import { readWpConfig } from './wp-config.policy.ts'
import { renderWpConfig } from './wp-config.render.ts'

type Deps = Pick<Dependencies, 'config' | 'databaseServers' | 'db' | 'fileStore' | 'freeDiskBytes' | 'siteDatabase'>

// Compressed text is about 1:20; a zip bomb is 1:1000.
const maxRatio = 200
const configBytes = 256 * 1024
// A page-builder page takes one or two. A row is rewritten in one event-loop tick, which blocks other requests.
const rewrittenRowBytes = 8 * 1024 * 1024

interface UnpackedSite extends SiteLayout {
  files: number
  uid: number
}

export async function unpackSite(deps: Deps, paths: StagingPaths, project: ProjectRow): Promise<UnpackedSite> {
  const uid = await findUid(deps.db, project.userId)
  if (uid === undefined) throw new AppError('NOT_FOUND', 'Project not found')
  await makeStagingDirectory(paths.unpacked)
  const limits = {
    maxBytes: await requireFreeDisk(deps, deps.config.ARCHIVE_MAX_SIZE),
    maxEntries: deps.config.ARCHIVE_MAX_ENTRIES,
    maxRatio
  }
  const { files } = await deps.fileStore.unpack(paths.archive, paths.unpacked, limits, { uid })
  await removeStaged(paths.archive)
  return { ...findSite(await listStagedFiles(paths.unpacked)), files, uid }
}

export async function loadDump(
  deps: Deps,
  paths: StagingPaths,
  site: SiteLayout,
  account: DatabaseAccount,
  signal: AbortSignal
): Promise<DumpReport['leftOut']> {
  const maxBytes = await requireFreeDisk(deps, deps.config.ARCHIVE_MAX_SIZE)
  const dump = await chooseDump(
    site.dumps.map((path) => join(paths.unpacked, path)),
    maxBytes,
    signal
  )
  const { sql, report } = openDump(dump, maxBytes, signal)
  await deps.siteDatabase.load(account, sql, { signal })
  return report.leftOut
}

interface RewrittenSite {
  prefix: string
  tables: number
  replacedAddress: string | null
  notes: string[]
  noteSentences: WordpressNotes
}

/** `kept`: addresses of a site that exists, which are not changed. */
export async function rewriteSite(
  deps: Deps,
  project: ProjectRow,
  account: DatabaseAccount,
  configured: string | undefined,
  leftOut: DumpReport['leftOut'],
  signal: AbortSignal,
  kept?: Readonly<Record<'home' | 'siteurl', string>>
): Promise<RewrittenSite> {
  const tables = await deps.siteDatabase.listTables(account)
  const prefix = findTablePrefix(tables, configured)
  const options = await deps.siteDatabase.readOptions(account, `${prefix}options`, ['siteurl', 'home'])
  const previous = ['home', 'siteurl'].flatMap((name) => parseSiteAddress(options.get(name) ?? '') ?? [])
  const address = parseSiteAddress(kept?.home ?? '') ?? (await addressOfProject(deps, project.id))
  const { replace, growth } = addressReplacer(previous, address)
  const searchTerms = [...new Set(previous.map((each) => each.host.split(':')[0]!))]
  const left = await deps.siteDatabase.rewriteTexts(account, searchTerms, (text) => rewriteValue(text, replace), {
    maxRowBytes: Math.floor(rewrittenRowBytes / growth),
    signal
  })
  const own = formatSiteAddress(address)
  await deps.siteDatabase.writeOptions(account, `${prefix}options`, kept ?? { siteurl: own, home: own })
  const [old] = previous.map(formatSiteAddress)
  const noteSentences = notesOf(leftOut, left)
  return {
    prefix,
    tables: tables.length,
    replacedAddress: old === undefined || old === own ? null : old,
    notes: noteSentences.map((note) => sentenceText(wordpressNoteTexts, [note])),
    noteSentences
  }
}

async function addressOfProject(
  { config, db }: Pick<Deps, 'config' | 'db'>,
  projectId: string
): Promise<SiteAddressParts> {
  const own = await listHostnames(db, projectId)
  const keys = await listProjectRoutes(db, [projectId])
  const custom = keys.filter(({ hostname }) => !own.includes(hostname) && !hostname.startsWith('*.'))
  const facts = await listRouteFacts(
    db,
    custom.map(({ hostname }) => hostname)
  )
  const hosts = custom.flatMap(({ hostname, pathPrefix }) => {
    const found = facts.find((each) => each.hostname === hostname && each.pathPrefix === pathPrefix)
    return found ? [{ hostname, pathPrefix, forceHttps: found.forceHttps }] : []
  })
  if (own[0] === undefined) throw new AppError('NOT_FOUND', 'Project not found')
  return siteAddressOf(hosts, own[0], { http: config.PROXY_HTTP_PORT, https: config.PROXY_HTTPS_PORT })
}

export async function configuredPrefix(paths: StagingPaths, { config }: SiteLayout): Promise<string | undefined> {
  if (config === undefined) return undefined
  return readWpConfig(await readStagedHead(join(paths.unpacked, config), configBytes)).tablePrefix
}

export async function stageSite(
  paths: StagingPaths,
  { documentRoot, uid }: UnpackedSite,
  prefix: string
): Promise<void> {
  await moveStaged(join(paths.unpacked, documentRoot), paths.site)
  for (const name of await listStaged(paths.site)) if (isRegenerated(name)) await removeStaged(join(paths.site, name))
  for (const path of await listStagedFiles(paths.site)) if (isExcluded(path)) await removeStaged(join(paths.site, path))
  const content = renderWpConfig({ tablePrefix: prefix, salts: newSalts() })
  await finishStagedDirectory(paths.site, { name: 'wp-config.php', content }, uid)
}

export const newStagingAccount = (database: string): DatabaseAccount => ({
  database,
  username: database,
  password: randomBytes(24).toString('hex')
})
