import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import {
  buildContext,
  buildOptions,
  describeContainerEngine
} from '../../../test/contracts/container-engine.contract.ts'
import { createMemoryEngine } from '../../../test/fakes/memory-container-engine.ts'

const makeEngine = async () => {
  const engine = createMemoryEngine()
  await engine.importImage(Readable.from([Buffer.from('')]), 'test-image:1', [])
  return { engine, image: 'test-image:1', dispose: async () => {} }
}
describeContainerEngine('memory', makeEngine, { runsPrograms: false })

test('an unreachable memory engine fails every call', async () => {
  const engine = createMemoryEngine()
  engine.fail = 'unreachable'
  const options = buildOptions({ tag: 'a', labels: { a: 'b' } })
  const calls = [engine.ping(), engine.listContainers({ a: 'b' }), engine.buildImage(buildContext({}), options)]
  for (const call of calls) await expect(call).rejects.toMatchObject({ kind: 'container-engine-unavailable' })
})

test('a memory engine fails the configured step', async () => {
  const engine = createMemoryEngine()
  engine.fail = 'build'
  const work = engine.buildImage(buildContext({}), buildOptions({ tag: 'a', labels: {} }))
  await expect(work).rejects.toMatchObject({ name: 'EngineError' })
})
