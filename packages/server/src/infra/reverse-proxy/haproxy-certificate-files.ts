import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { type CrtEntry, type CrtLines, fileOf, parseCrtList, renderCrtLines, renderCrtList } from './crt-list.render.ts'
import type { HaproxyPaths } from './haproxy-paths.ts'
import { certificateProblem } from './prepared-certificate.ts'

/** The files from which HAProxy takes its certificates when it starts. */
export interface CertificateFiles {
  /** The names that are there. */
  names(): Promise<Set<string>>
  write(file: string, pem: string): Promise<void>
  remove(file: string): Promise<void>
  /** The certificates of crt-list.txt. */
  readList(): Promise<CrtEntry[]>
  /** Resolves with whether the list was another one. */
  writeList(lines: CrtLines): Promise<boolean>
  /** Removes all that is not on the list: a key that nobody serves. */
  removeAllBut(lines: CrtLines): Promise<void>
}

export function certificateFiles({ certificates, crtList, defaultCertificate }: HaproxyPaths): CertificateFiles {
  const files: CertificateFiles = {
    async names() {
      await mkdir(certificates, { recursive: true, mode: 0o700 })
      return new Set(await readdir(certificates))
    },
    write: (file, pem) => writeFileAtomically(join(certificates, file), pem),
    remove: (file) => rm(join(certificates, file), { force: true }),
    async readList() {
      return parseCrtList(certificates, (await readIfExists(crtList)) ?? '')
    },
    async writeList(lines) {
      const text = renderCrtList(certificates, defaultCertificate, lines)
      if ((await readIfExists(crtList)) === text) return false
      await writeFileAtomically(crtList, text)
      return true
    },
    async removeAllBut(lines) {
      for (const file of await files.names()) if (!lines.has(file)) await files.remove(file)
    }
  }
  return files
}

/** Leaves on the list what has a file: HAProxy does not start when a single one is missing. */
export async function keepPresent(files: CertificateFiles): Promise<void> {
  const names = await files.names()
  const entries = await files.readList()
  await files.writeList(renderCrtLines(entries.filter((entry) => names.has(fileOf(entry)))))
}

/** As keepPresent for what can be read as a certificate with its key. Resolves with the ids of the others. */
async function dropBroken(files: CertificateFiles, { certificates }: HaproxyPaths): Promise<string[]> {
  const good: CrtEntry[] = []
  const bad: CrtEntry[] = []
  for (const entry of await files.readList()) {
    const problem = certificateProblem(await readFile(join(certificates, fileOf(entry)), 'utf8').catch(() => ''))
    if (problem === undefined) good.push(entry)
    else bad.push(entry)
  }
  if (bad.length > 0) await files.writeList(renderCrtLines(good))
  for (const entry of bad) await files.remove(fileOf(entry))
  return bad.map(({ id }) => id)
}

/**
 * Runs `attempt`, which makes HAProxy read all certificates. When it fails: once more without those that are broken, then
 * without any, so that a certificate never takes down the sites that need none. (To check 10,000 beforehand, at every start,
 * takes as long as the start itself.) `onProblem` is told which are left out, for the caller to set them again.
 */
export async function withUsableCertificates<T>(
  paths: HaproxyPaths,
  attempt: () => Promise<T>,
  onProblem: (error: unknown) => void
): Promise<T> {
  const files = certificateFiles(paths)
  try {
    return await attempt()
  } catch (error) {
    const broken = await dropBroken(files, paths)
    const entries = await files.readList()
    if (broken.length > 0) {
      onProblem(startedWithout(broken, error))
      // When the broken ones were not all that is wrong, the first failure tells more.
      const result = await attempt().then(
        (value) => ({ value }),
        () => undefined
      )
      if (result) return result.value
    }
    if (entries.length === 0) throw error
    await files.writeList(new Map())
    try {
      const result = await attempt()
      onProblem(
        startedWithout(
          entries.map(({ id }) => id),
          error
        )
      )
      return result
    } catch {
      // Not the certificates' fault: they stay.
      await files.writeList(renderCrtLines(entries))
      throw error
    }
  }
}

const startedWithout = (ids: readonly string[], cause: unknown): Error =>
  new Error(`The proxy starts without ${ids.length} certificates: ${ids.slice(0, 10).join(', ')}`, { cause })
