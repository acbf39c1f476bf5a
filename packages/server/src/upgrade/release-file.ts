import { createWriteStream } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { ProcessError, type Run } from '../infra/process/process.ts'
import { isVersion } from '../features/updates/version.policy.ts'
import { kindOfRelease, parseTrustedComment, type Release, type ReleaseKind } from './release.policy.ts'

const maxBytes = 1024 ** 3
const downloadTimeoutMs = 30 * 60_000
const unpackLimits = { timeoutMs: 30 * 60_000, idleTimeoutMs: 5 * 60_000 }

/** A release whose signature was verified, in a directory of our own. */
interface ReleaseFile {
  version: string
  kind: ReleaseKind
  path: string
  bytes: number
}

/**
 * Copies or downloads a release and its signature into `directory`, and verifies it there, so that what is unpacked is
 * what was verified. Rejects with a sentence for the administrator.
 *
 * @param publicKey of minisign: the second line of the file, starting with RW
 */
export async function fetchRelease(
  source: string,
  { directory, publicKey, run }: { directory: string; publicKey: string; run: Run }
): Promise<ReleaseFile> {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'release')
  const signature = `${path}.minisig`
  await fetchFile(`${source}.minisig`, signature, 64 * 1024).catch((cause: unknown) => {
    throw new Error(`The release has no signature: ${source}.minisig cannot be read. Download it beside the release.`, { cause }) // oxfmt-ignore
  })
  await fetchFile(source, path, maxBytes)
  const comment = await verify(path, signature, publicKey, run)
  const signed = parseTrustedComment(comment)
  const kind = signed && kindOfRelease(signed.file)
  if (!signed || !kind || !isVersion(signed.version))
    throw new Error('The signed file is not a release of the panel. Use hosting-panel-….tar.gz or hosting-panel_….deb.')
  return { version: signed.version, kind, path, bytes: (await stat(path)).size }
}

async function verify(path: string, signature: string, publicKey: string, run: Run): Promise<string> {
  try {
    const argv = ['minisign', '-V', '-Q', '-P', publicKey, '-m', path, '-x', signature] as const
    return (await run(argv, { timeoutMs: 5 * 60_000 })).stdout
  } catch (error) {
    if (!(error instanceof ProcessError) || error.reason !== 'failed') throw error
    throw new Error('The signature does not match the release. Download both again; do not use this release.', {
      cause: error
    })
  }
}

async function fetchFile(source: string, target: string, limit: number): Promise<void> {
  if (!source.startsWith('https://')) {
    if (source.includes('://')) throw new Error('Use an https URL or the path of a file.')
    if ((await stat(source)).size > limit) throw new Error(`${source} is too large to be a release.`)
    return copyFile(source, target)
  }
  const response = await fetch(source, { signal: AbortSignal.timeout(downloadTimeoutMs) })
  if (!response.ok || !response.body) throw new Error(`${source} responded with status ${response.status}.`)
  let bytes = 0
  const limiting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      done(bytes > limit ? new Error(`${source} is too large to be a release.`) : null, chunk)
    }
  })
  await pipeline(Readable.fromWeb(response.body), limiting, createWriteStream(target, { mode: 0o600 }))
}

const Contents = z.object({ version: z.string(), platform: z.string() })

const unpackers = {
  archive: (path, tree) => ['tar', '-xzf', path, '--no-same-owner', '-C', tree],
  package: (path, tree) => ['dpkg-deb', '-x', path, tree]
} as const satisfies Record<ReleaseKind, (path: string, tree: string) => readonly [string, ...string[]]>

const folderIn = {
  archive: (tree) => tree,
  package: (tree) => join(tree, 'opt/hosting-panel/versions')
} as const satisfies Record<ReleaseKind, (tree: string) => string>

/** Unpacks into a directory of its own. Resolves with the folder of the program, with its version and platform. */
export async function unpackRelease(
  file: ReleaseFile,
  { directory, run }: { directory: string; run: Run }
): Promise<Release & { folder: string }> {
  const tree = join(directory, 'tree')
  await mkdir(tree, { mode: 0o755 })
  await run(unpackers[file.kind](file.path, tree), unpackLimits)
  const parent = folderIn[file.kind](tree)
  const [name, ...others] = await readdir(parent)
  if (name === undefined || others.length > 0) throw new Error('The release does not contain exactly one folder.')
  const folder = join(parent, name)
  const contents = Contents.parse(JSON.parse(await readFile(join(folder, 'release.json'), 'utf8')))
  if (contents.version !== file.version)
    throw new Error(`The release contains version ${contents.version}, but its signature says ${file.version}.`)
  return { ...contents, folder }
}

/** Renames the unpacked folder to its place; a folder that an earlier attempt left there goes. */
export async function placeRelease(folder: string, target: string): Promise<void> {
  await rm(target, { recursive: true, force: true })
  await rename(folder, target)
}
