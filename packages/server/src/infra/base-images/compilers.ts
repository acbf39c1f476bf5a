import { createHash } from 'node:crypto'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { EngineError } from '../container-engine/container-engine.ts'
import { label } from '../container-engine/labels.ts'
import type { BaseImages } from '../image-builder/build-plan.ts'
import { copy, dockerfile, env, from, runShell } from '../image-builder/dockerfile.render.ts'
import { prepareImage, type PreparationOptions } from './base-images.ts'
import type { Recipe } from './recipe.ts'

const role = 'panel.compilers'

/** The image that is made here of a Node.js image. */
export const compilersReference = (nodeImage: string): string =>
  `panel-compilers:${createHash('sha256').update(nodeImage).digest('hex').slice(0, 12)}`

/**
 * The Node.js image with what node-gyp needs. Official images have Node's headers; one that was made of this machine's Node.js gets this
 * machine's. They have to be of the image's own version: with others, modules compile and crash.
 */
const compilersRecipe = (nodeImage: string, nodeImageId: string): Recipe => ({
  reference: compilersReference(nodeImage),
  isOwn: true,
  isOnDebian: false,
  takesHostNode: false,
  takesHostHeaders: true,
  // Made again when the image below it is another.
  labels: { [role]: 'yes', [`${role}.of`]: nodeImageId },
  dockerfile: dockerfile(
    from(nodeImage),
    runShell(
      'if command -v apt-get >/dev/null; then apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq ' +
        '--no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin; ' +
        'else apk add --no-cache python3 make g++; fi'
    ),
    copy('headers/', '/usr/local/include/panel-headers/'),
    runShell(
      'cd /usr/local/include && if [ ! -f node/node_version.h ]; then rm -rf node && mv panel-headers node; fi && rm -rf panel-headers && ' +
        `node -e "const text = require('fs').readFileSync('node/node_version.h', 'utf8'); ` +
        `const of = (part) => new RegExp('_' + part + '_VERSION (.+)').exec(text)[1]; ` +
        `process.exit([of('MAJOR'), of('MINOR'), of('PATCH')].join('.') === process.versions.node ? 0 : 1)" || ` +
        `{ echo "The image has no headers of its Node.js" >&2; exit 1; }`
    ),
    env({ npm_config_nodedir: '/usr/local' })
  )
})

// `./panel up` and a build that comes first would make it twice; two panels may, which costs the time alone.
const oneAtATime = createKeyedMutex<string>()

/** One that is being made has no name for a moment, in the hands of another panel. */
const leftAfterMs = 3600_000

/** Sees to it that `images.compilers` is on the engine. The Node.js image has to be there. */
export async function prepareCompilers(options: PreparationOptions, images: BaseImages): Promise<void> {
  const { compilers } = images
  if (compilers === undefined) return
  await oneAtATime(compilers, async () => {
    const node = await options.engine.findImage(images.node)
    if (!node) throw new Error(`The image ${images.node} is not there`)
    await prepareImage(options, compilers, compilersRecipe(images.node, node.id))
    await removeLeftImages(options)
  })
}

async function removeLeftImages({ engine, now = () => new Date() }: PreparationOptions): Promise<void> {
  // Layers of builds have its labels too.
  for (const { id, tags, labels, createdAt } of await engine.listImages({ [role]: 'yes' })) {
    if (tags.length > 0 || label.instance in labels || now().getTime() - createdAt.getTime() < leftAfterMs) continue
    await engine.removeImage(id).catch((error: unknown) => {
      // A build uses it: the next preparation removes it.
      if (!(error instanceof EngineError)) throw error
    })
  }
}
