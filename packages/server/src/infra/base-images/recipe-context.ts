import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Pack } from 'tar-stream'
import { addDirectory, addFile, addText, tarOf } from '../image-builder/tar-entries.ts'
import { authoritiesFile, type Recipe } from './recipe.ts'

const hostAuthorities = '/etc/ssl/certs/ca-certificates.crt'

/** The tar stream that a recipe is built from. */
export const recipeContext = (recipe: Recipe, nodePath: string): Readable => tarOf((tar) => fill(tar, recipe, nodePath))

async function fill(tar: Pack, recipe: Recipe, nodePath: string): Promise<void> {
  await addText(tar, 'Dockerfile', recipe.dockerfile ?? '')
  for (const [name, text] of Object.entries(recipe.files ?? {})) await addText(tar, name, text)
  // A machine without the file has no authorities of its own either.
  await addText(tar, authoritiesFile, await readFile(hostAuthorities).catch(() => ''))
  if (recipe.takesHostNode) {
    const node = await realpath(nodePath)
    await addFile(tar, node, 'node')
    await addDirectory(tar, await npmDirectory(node), 'npm', (name) => name === 'npm/docs' || name === 'npm/man')
  }
}

/** npm lies in ../lib/node_modules beside every Node.js that has one. */
async function npmDirectory(node: string): Promise<string> {
  const directory = join(dirname(node), '..', 'lib', 'node_modules', 'npm')
  await stat(join(directory, 'bin', 'npm-cli.js')).catch((cause: unknown) => {
    throw new Error(`This machine's Node.js has no npm at ${directory}; install npm`, { cause })
  })
  return directory
}
