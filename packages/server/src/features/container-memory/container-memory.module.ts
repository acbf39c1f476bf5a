import { feature } from '../feature.ts'
import { watchOutOfMemory } from './out-of-memory.watch.ts'

export const containerMemory = feature({
  name: 'container-memory',
  reconcile: [{ name: 'memory', on: {}, run: async (_deps, { resource }) => void resource(watchOutOfMemory) }]
})
