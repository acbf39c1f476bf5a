import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { type CrtEntry, type CrtLines, fileOf, parseCrtList, renderCrtLines, renderCrtList } from './crt-list.render.ts'
import type { HaproxyPaths } from './haproxy-paths.ts'
import { certificateProblem } from './prepared-certificate.ts'

export interface CertificateFiles {
  names(): Promise<Set<string>>
  write(file: string, pem: string): Promise<void>
  remove(file: string): Promise<void>
  readList(): Promise<CrtEntry[]>
  writeList(lines: CrtLines): Promise<boolean>
  /** Removes files that are not on the list, because they contain private keys. */
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

/** Removes entries without a file from the list: HAProxy does not start if one is missing. */
export async function keepPresent(files: CertificateFiles): Promise<void> {
  const names = await files.names()
  const entries = await files.readList()
  await files.writeList(renderCrtLines(entries.filter((entry) => names.has(fileOf(entry)))))
}

/** Removes entries whose file is not a certificate with its key. Resolves with their ids. */
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
 * Runs `attempt`, which makes HAProxy read all certificates. If it fails, retries without the broken ones, then without
 * any: a certificate must not take down sites that do not need it.
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
      // The certificates were not the cause, so keep them.
      await files.writeList(renderCrtLines(entries))
      throw error
    }
  }
}

const startedWithout = (ids: readonly string[], cause: unknown): Error =>
  new Error(`The proxy starts without ${ids.length} certificates: ${ids.slice(0, 10).join(', ')}`, { cause })
