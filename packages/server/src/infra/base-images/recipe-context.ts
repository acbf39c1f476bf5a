import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile, readlink, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pack, type Pack } from 'tar-stream'
import { authoritiesFile, type Recipe } from './recipe.ts'

const hostAuthorities = '/etc/ssl/certs/ca-certificates.crt'
const epoch = new Date(0)

/** The tar stream that a recipe is built from. */
export function recipeContext(recipe: Recipe, nodePath: string): Readable {
  const tar = pack()
  const context = Readable.from(tar, { objectMode: false })
  context.once('close', () => tar.destroy())
  void fill(tar, recipe, nodePath).catch((error: Error) => context.destroy(error))
  return context
}

async function fill(tar: Pack, recipe: Recipe, nodePath: string): Promise<void> {
  await addText(tar, 'Dockerfile', Buffer.from(recipe.dockerfile ?? ''))
  await addText(tar, authoritiesFile, await readFile(hostAuthorities).catch(() => Buffer.alloc(0)))
  if (recipe.takesHostNode) {
    const node = await realpath(nodePath)
    await addFile(tar, node, 'node')
    await addDirectory(tar, await npmDirectory(node), 'npm')
  }
  tar.finalize()
}

/** npm lies in ../lib/node_modules beside every Node.js that has one. */
async function npmDirectory(node: string): Promise<string> {
  const directory = join(dirname(node), '..', 'lib', 'node_modules', 'npm')
  await stat(join(directory, 'bin', 'npm-cli.js')).catch((cause: unknown) => {
    throw new Error(`This machine's Node.js has no npm at ${directory}; install npm`, { cause })
  })
  return directory
}

const skipped = new Set(['docs', 'man'])

async function addDirectory(tar: Pack, directory: string, name: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const [path, target] = [join(directory, entry.name), `${name}/${entry.name}`]
    if (entry.isDirectory() && !(name === 'npm' && skipped.has(entry.name))) await addDirectory(tar, path, target)
    else if (entry.isFile()) await addFile(tar, path, target)
    else if (entry.isSymbolicLink()) await addLink(tar, target, await readlink(path))
  }
}

async function addFile(tar: Pack, path: string, name: string): Promise<void> {
  const { size, mode } = await lstat(path)
  await settled((done) => {
    const entry = tar.entry({ name, size, mode: mode & 0o111 ? 0o755 : 0o644, mtime: epoch }, done)
    createReadStream(path)
      .once('error', (error) => entry.destroy(error))
      .pipe(entry as unknown as NodeJS.WritableStream)
  })
}

const addText = (tar: Pack, name: string, text: Buffer): Promise<void> =>
  settled((done) => tar.entry({ name, mode: 0o644, mtime: epoch }, text, done))

const addLink = (tar: Pack, name: string, linkname: string): Promise<void> =>
  settled((done) => tar.entry({ name, linkname, type: 'symlink', mtime: epoch }, done))

const settled = (start: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())))
