import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pack, type Pack } from 'tar-stream'
import { addDirectory, addFile, addText } from '../image-builder/tar-entries.ts'
import { authoritiesFile, type Recipe } from './recipe.ts'

const hostAuthorities = '/etc/ssl/certs/ca-certificates.crt'

/** The tar stream that a recipe is built from. */
export function recipeContext(recipe: Recipe, nodePath: string): Readable {
  const tar = pack()
  const context = Readable.from(tar, { objectMode: false })
  context.once('close', () => tar.destroy())
  void fill(tar, recipe, nodePath).catch((error: Error) => context.destroy(error))
  return context
}

async function fill(tar: Pack, recipe: Recipe, nodePath: string): Promise<void> {
  await addText(tar, 'Dockerfile', recipe.dockerfile ?? '')
  // A machine without the file has no authorities of its own either.
  await addText(tar, authoritiesFile, await readFile(hostAuthorities).catch(() => ''))
  if (recipe.takesHostNode) {
    const node = await realpath(nodePath)
    await addFile(tar, node, 'node')
    await addDirectory(tar, await npmDirectory(node), 'npm', (name) => name === 'npm/docs' || name === 'npm/man')
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
