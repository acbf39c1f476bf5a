// Checksums of a release's files and, with a key, their signatures (minisign). `minisign -G -W -s <key> -p <public key>` makes a key without a password.
import { createHash } from 'node:crypto'
import { createReadStream, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Writes SHA256SUMS beside the files. */
export async function writeChecksums(target, files) {
  const lines = []
  for (const path of files) lines.push(`${await sha256(path)}  ${basename(path)}\n`)
  const sums = join(target, 'SHA256SUMS')
  writeFileSync(sums, lines.join(''))
  return sums
}

/** Writes `<file>.minisig` for each. The trusted comment is part of what is signed, so a file cannot pass for another version. */
export function signFiles(files, { key, version, time, run }) {
  for (const path of files) {
    const comment = `timestamp:${time} file:${basename(path)} version:${version}`
    run('minisign', ['-S', '-s', key, '-m', path, '-t', comment, '-c', 'signature of the hosting panel'])
  }
}

async function sha256(path) {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
