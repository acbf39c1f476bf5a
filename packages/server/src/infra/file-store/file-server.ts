import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../text/message-of.ts'
import { adapterErrors } from '../verb-socket/adapter-errors.ts'
import { serveVerbs } from '../verb-socket/serve-verbs.ts'
import { createDiskFileStore } from './disk-file-store.ts'
import { fileStoreVerbs, heartbeatMs } from './file-store-verbs.ts'

// The program that serves the files of its machine to a panel on another one (remote-file-store.ts), until its standard
// input ends, or is silent after the network was cut. Prints the path of its socket, which root alone can open.
const stagingDirectory = process.argv[2]!
const directory = await mkdtemp('/run/panel-files-')
const path = join(directory, 'socket')
const server = await serveVerbs(fileStoreVerbs(createDiskFileStore({ stagingDirectory })), {
  path,
  gid: undefined,
  errors: adapterErrors,
  onFailure: (verb, error) =>
    process.stderr.write(
      `${verb}: ${(error instanceof Error ? error.stack : messageOf(error))?.replaceAll('\n', ' ')}\n`
    )
})
process.stdout.write(`${path}\n`)
await new Promise<void>((resolve) => {
  const silence = setTimeout(resolve, 6 * heartbeatMs)
  process.stdin.on('data', () => silence.refresh()).once('close', resolve)
})
await server.close()
await rm(directory, { recursive: true, force: true })
process.exit()
