import { relative } from 'node:path'
import { Readable } from 'node:stream'
import { pack } from 'tar-stream'
import type { NodeConnection } from '../node-connection/node-connection.ts'

const putMs = 5 * 60_000

// Each file is exchanged at once.
const putScript = `
umask 077
new="$1/.incoming"; rm -rf "$new"; mkdir -p "$new"; tar -x -C "$new"; sync -f "$new"
cd "$new"
find . -type d -exec mkdir -p "$1/{}" \\;
find . -type f -exec mv -f {} "$1/{}" \\;
rm -rf "$new"
`

/** Writes files of root alone on the machine. All are below `directory`. */
export async function putEdgeFiles(
  connection: Pick<NodeConnection, 'run'>,
  directory: string,
  files: ReadonlyMap<string, string>
): Promise<void> {
  const archive = pack()
  for (const [path, content] of files) archive.entry({ name: relative(directory, path), mode: 0o600 }, content)
  archive.finalize()
  const argv = ['sh', '-ec', putScript, 'sh', directory] as const
  await connection.run(argv, { input: Readable.from(archive), timeoutMs: putMs })
}
