import { describe, expect, test } from 'vitest'
import { createMemoryEngine } from '../../../test/fakes/memory-container-engine.ts'
import { EngineError } from '../container-engine/container-engine.ts'
import { ensureExternalImages } from './external-images.ts'

const baseImages = ['node:20', 'caddy:2']
const nginx = 'docker.io/library/nginx:1'

async function setup() {
  const engine = createMemoryEngine()
  await engine.pullImage('docker.io/library/nginx:1', () => {})
  const image = [...engine.images.values()][0]!
  const log: string[] = []
  const ensure = (reference: string, addresses: string[] = []) =>
    ensureExternalImages(
      { engine, baseImages, imagePrefix: 'panel', addressesOf: async () => addresses },
      [reference],
      {
        signal: new AbortController().signal,
        onLog: (text) => log.push(text)
      }
    )
  return { engine, image, log, ensure }
}

describe('the images of a Dockerfile', () => {
  test('a local image is used, a missing one is pulled', async () => {
    const { engine, log, ensure } = await setup()
    await ensure(nginx)
    expect(log).toEqual([])
    await ensure('ghcr.io/a/b:1', ['140.82.121.33'])
    expect(log[0]).toBe('Pulling ghcr.io/a/b:1\n')
    expect(await engine.findImage('ghcr.io/a/b:1')).toBeDefined()
  })

  test('a locally built image is rejected unless it is a base image', async () => {
    const { image, ensure } = await setup()
    image.isLocal = true
    await expect(ensure(nginx)).rejects.toThrow(/exists only on this server/)
    image.tags = ['node:20']
    await ensure('docker.io/library/node:20')
  })

  test('an image with panel labels is rejected', async () => {
    const { image, ensure } = await setup()
    image.labels = { 'panel.project': 'p' }
    await expect(ensure(nginx)).rejects.toThrow(/only on this server/)
  })

  test('a rejected image is removed only if it was pulled for this build', async () => {
    const { engine, image, ensure } = await setup()
    const pull = engine.pullImage
    engine.pullImage = async (reference, onLog) => {
      await pull(reference, onLog)
      const pulled = [...engine.images.values()].find(({ tags }) => tags.includes(reference))!
      pulled.labels = { 'panel.project': 'p' }
    }
    await expect(ensure('ghcr.io/a/b:1', ['140.82.121.33'])).rejects.toThrow(/only on this server/)
    expect(await engine.findImage('ghcr.io/a/b:1')).toBeUndefined()
    image.onBuild = true
    await expect(ensure(nginx)).rejects.toThrow(/ONBUILD/)
    expect(await engine.findImage(nginx)).toBeDefined()
  })

  test('an image with ONBUILD is rejected', async () => {
    const { image, ensure } = await setup()
    image.onBuild = true
    await expect(ensure(nginx)).rejects.toThrow(/has ONBUILD instructions/)
  })

  test('an image built for a project is rejected', async () => {
    const { ensure } = await setup()
    await expect(ensure('docker.io/library/panel-01abc:1')).rejects.toThrow(/for a project/)
  })

  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '2002:7f00:1::',
    'fd00::1',
    'fe80::1'
  ])('a registry at %s is not asked', async (address) => {
    const { log, ensure } = await setup()
    await expect(ensure('evil.example.com/a:1', ['8.8.8.8', address])).rejects.toThrow(/has a private address/)
    expect(log).toEqual([])
  })

  test.each([
    ['connection refused', 'IMAGE_NOT_PULLED'],
    ['pull access denied', 'IMAGE_NOT_PUBLIC'],
    ['unauthorized: authentication required', 'IMAGE_NOT_PUBLIC']
  ])('a pull that fails with "%s" is reported', async (message, code) => {
    const { engine, ensure } = await setup()
    engine.pullImage = () => Promise.reject(new EngineError(message, 404))
    await expect(ensure('ghcr.io/a/b:1')).rejects.toMatchObject({ sentences: [{ code }] })
  })

  test('cancelling does not wait for the registry', async () => {
    const { engine } = await setup()
    engine.pullImage = () => new Promise(() => {})
    const abort = new AbortController()
    const work = ensureExternalImages({ engine, baseImages, imagePrefix: 'panel' }, ['docker.io/a/b:1'], {
      signal: abort.signal,
      onLog: () => abort.abort(new Error('cancelled'))
    })
    await expect(work).rejects.toThrow('cancelled')
  })
})
