import { readFile } from 'node:fs/promises'
import { PassThrough, type Readable } from 'node:stream'
import { pack } from 'tar-stream'

/** A root file system with static busybox only (Debian: busybox-static), because no registry is available. */
export async function busyboxRoot(): Promise<Readable> {
  const archive = pack()
  for (const name of ['bin', 'etc', 'proc', 'sys', 'dev']) archive.entry({ name, type: 'directory', mode: 0o755 })
  for (const name of ['tmp', 'data']) archive.entry({ name, type: 'directory', mode: 0o1777 })
  archive.entry({ name: 'bin/busybox', mode: 0o755 }, await readFile('/bin/busybox'))
  const applets = 'sh sleep seq true rm cat base64 grep touch tail httpd nc mount env stat yes head ls printf'.split(
    ' '
  )
  for (const applet of applets) archive.entry({ name: `bin/${applet}`, type: 'symlink', linkname: 'busybox' })
  archive.finalize()
  return archive.pipe(new PassThrough())
}
