import { createPrivateKey, X509Certificate } from 'node:crypto'
import { chmod, mkdir, readFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../errors.ts'
import type { Run } from '../process/process.ts'
import { writeFileAtomically } from './atomic-file.ts'
import { renderPages } from './haproxy-pages.render.ts'
import type { HaproxyPaths } from './haproxy-paths.ts'

const opensslTimeoutMs = 30_000
const logMaxBytes = 10 * 1024 * 1024

/**
 * Writes all that the configuration refers to: HAProxy does not start when a single one of these files is missing. The routes that
 * are there stay.
 */
export async function prepareFiles(
  directory: string,
  runtimeDirectory: string,
  paths: HaproxyPaths,
  run: Run
): Promise<void> {
  for (const path of [directory, runtimeDirectory, paths.certificates, paths.pages]) await makePrivateDirectory(path)
  for (const [name, content] of renderPages()) await writeIfChanged(join(paths.pages, name), content)
  if ((await readIfExists(paths.map)) === undefined) await writeFileAtomically(paths.map, '')
  await ensureDefaultCertificate(paths.defaultCertificate, run)
  await writeIfChanged(paths.crtList, `${paths.defaultCertificate}\n`)
  await boundLog(paths.log)
}

/** The whole text, or undefined when there is no such file. */
export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function makePrivateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await chmod(path, 0o700)
}

async function writeIfChanged(path: string, content: string): Promise<void> {
  if ((await readIfExists(path)) !== content) await writeFileAtomically(path, content)
}

/** Answers names without a certificate, self-signed, so that a TLS listener can exist at all. */
async function ensureDefaultCertificate(path: string, run: Run): Promise<void> {
  const present = await readIfExists(path)
  if (present !== undefined && certificateProblem(present) === undefined) return
  const { stdout } = await run(defaultCertificateCommand, { timeoutMs: opensslTimeoutMs })
  const problem = certificateProblem(stdout)
  if (problem !== undefined) throw new Error(`openssl wrote no usable certificate: ${problem}`)
  await writeFileAtomically(path, stdout)
}

// Key and certificate come by standard output, so the key is on disk in one file only.
const defaultCertificateCommand = [
  'openssl',
  'req',
  '-x509',
  '-newkey',
  'ec',
  '-pkeyopt',
  'ec_paramgen_curve:P-256',
  '-nodes',
  '-days',
  '3650',
  '-subj',
  '/CN=invalid.panel',
  '-keyout',
  '-',
  '-out',
  '-'
] as const

function certificateProblem(pem: string): string | undefined {
  try {
    return new X509Certificate(pem).checkPrivateKey(createPrivateKey(pem)) ? undefined : 'the key is another one'
  } catch (error) {
    return messageOf(error)
  }
}

/** The proxy appends to its log for ever; what is older than the last 10 MB goes at the next start. */
async function boundLog(path: string): Promise<void> {
  if ((await readIfExists(path)) !== undefined && (await stat(path)).size > logMaxBytes) await truncate(path, 0)
}
