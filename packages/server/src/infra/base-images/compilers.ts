import { createHash } from 'node:crypto'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { EngineError } from '../container-engine/container-engine.ts'
import { label } from '../container-engine/labels.ts'
import { dockerfile, env, from, runShell } from '../image-builder/dockerfile.render.ts'
import { prepareImage, type PreparationOptions } from './base-images.ts'
import type { Recipe } from './recipe.ts'

const role = 'panel.compilers'

export const compilersReference = (nodeImage: string): string =>
  `panel-compilers:${createHash('sha256').update(nodeImage).digest('hex').slice(0, 12)}`

// A Node.js image with what node-gyp needs. It includes Node's headers; if their version is not Node's, native modules
// compile and then crash.
const compilersRecipe = (nodeImage: string, nodeImageId: string): Recipe => ({
  reference: compilersReference(nodeImage),
  isOwn: true,
  isOnDebian: false,
  takesHostNode: false,
  labels: { [role]: 'yes', [`${role}.of`]: nodeImageId },
  dockerfile: dockerfile(
    from(nodeImage),
    runShell(
      'if command -v apt-get >/dev/null; then apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq ' +
        '--no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin; ' +
        'else apk add --no-cache python3 make g++; fi'
    ),
    runShell(
      `node -e "const text = require('fs').readFileSync('/usr/local/include/node/node_version.h', 'utf8'); ` +
        `const of = (part) => new RegExp('_' + part + '_VERSION (.+)').exec(text)[1]; ` +
        `process.exit([of('MAJOR'), of('MINOR'), of('PATCH')].join('.') === process.versions.node ? 0 : 1)" || ` +
        `{ echo "The image has no headers of its Node.js" >&2; exit 1; }`
    ),
    env({ npm_config_nodedir: '/usr/local' })
  )
})

// `./panel up` and a concurrent build would build it twice. Across panels this only costs time.
const oneAtATime = createKeyedMutex<string>()

/** Images that another panel is still building have no tag yet. */
const staleAfterMs = 3600_000

/** `reference` is the image to prepare, `nodeImage` the one that it is made from. */
export async function prepareCompilers(
  options: PreparationOptions,
  reference: string,
  nodeImage: string
): Promise<void> {
  await oneAtATime(reference, async () => {
    const node = await options.engine.findImage(nodeImage)
    if (!node) throw new Error(`The image ${nodeImage} does not exist`)
    await prepareImage(options, reference, compilersRecipe(nodeImage, node.id))
    await removeStaleImages(options)
  })
}

async function removeStaleImages({ engine, now = () => new Date() }: PreparationOptions): Promise<void> {
  for (const { id, tags, labels, createdAt } of await engine.listImages({ [role]: 'yes' })) {
    if (tags.length > 0 || label.instance in labels || now().getTime() - createdAt.getTime() < staleAfterMs) continue
    await engine.removeImage(id).catch((error: unknown) => {
      if (!(error instanceof EngineError)) throw error
    })
  }
}
