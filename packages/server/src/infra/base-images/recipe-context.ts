import { readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Pack } from 'tar-stream'
import { exists } from '../disk/exists.ts'
import { labels } from '../image-builder/dockerfile.render.ts'
import { addDirectory, addFile, addText, tarOf } from '../image-builder/tar-entries.ts'
import { resolveProgram } from '../process/program-path.ts'
import { authoritiesFile, type Recipe, stepLabel } from './recipe.ts'

const hostAuthorities = '/etc/ssl/certs/ca-certificates.crt'

export const recipeContext = (recipe: Recipe, nodePath: string): Readable => tarOf((tar) => fill(tar, recipe, nodePath))

async function fill(tar: Pack, recipe: Recipe, nodePath: string): Promise<void> {
  // On every stage, so that all step containers carry the label.
  const marked = (recipe.dockerfile ?? '').replaceAll(/^FROM .*$/gm, `$&\n${labels({ [stepLabel]: 'yes' })}`)
  await addText(tar, 'Dockerfile', marked)
  for (const [name, text] of Object.entries(recipe.files ?? {})) await addText(tar, name, text)
  await addText(tar, authoritiesFile, await readFile(hostAuthorities).catch(() => ''))
  if (recipe.takesHostNode) {
    const node = await realpath(nodePath)
    await addFile(tar, node, 'node')
    await addDirectory(tar, await npmDirectory(node), 'npm', (name) => name === 'npm/docs' || name === 'npm/man')
  }
}

async function npmDirectory(node: string): Promise<string> {
  const beside = join(dirname(node), '..', 'lib', 'node_modules', 'npm')
  // resolveProgram returns the bare name if it finds nothing; realpath then fails.
  const onPath = await realpath(resolveProgram('npm')).then(
    (program) => [dirname(dirname(program))],
    () => []
  )
  for (const directory of [beside, ...onPath]) if (await exists(join(directory, 'bin', 'npm-cli.js'))) return directory
  throw new Error(`This machine's Node.js has no npm at ${beside}. Install npm.`)
}
