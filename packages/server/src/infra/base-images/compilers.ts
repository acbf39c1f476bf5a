import { createHash } from 'node:crypto'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { EngineError } from '../container-engine/container-engine.ts'
import { label } from '../container-engine/labels.ts'
import type { BaseImages } from '../image-builder/build-plan.ts'
import { copy, dockerfile, env, from, runShell } from '../image-builder/dockerfile.render.ts'
import { prepareImage, type PreparationOptions } from './base-images.ts'
import type { Recipe } from './recipe.ts'

const role = 'panel.compilers'

export const compilersReference = (nodeImage: string): string =>
  `panel-compilers:${createHash('sha256').update(nodeImage).digest('hex').slice(0, 12)}`

// A Node.js image with what node-gyp needs. Official images include Node's headers; an image built from this machine's
// Node.js gets this machine's headers. The versions must match, otherwise native modules compile and then crash.
const compilersRecipe = (nodeImage: string, nodeImageId: string): Recipe => ({
  reference: compilersReference(nodeImage),
  isOwn: true,
  isOnDebian: false,
  takesHostNode: false,
  takesHostHeaders: true,
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

// `./panel up` and a concurrent build would build it twice. Across panels this only costs time.
const oneAtATime = createKeyedMutex<string>()

/** Images that another panel is still building have no tag yet. */
const staleAfterMs = 3600_000

export async function prepareCompilers(options: PreparationOptions, images: BaseImages): Promise<void> {
  const { compilers } = images
  if (compilers === undefined) return
  await oneAtATime(compilers, async () => {
    const node = await options.engine.findImage(images.node)
    if (!node) throw new Error(`The image ${images.node} does not exist`)
    await prepareImage(options, compilers, compilersRecipe(images.node, node.id))
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
