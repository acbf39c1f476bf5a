import type { Git } from '../../src/infra/git/git.ts'
import { createBuiltinBuilder } from '../../src/infra/image-builder/builtin-builder.ts'
import type { ImageBuilder } from '../../src/infra/image-builder/image-builder.ts'
import { createMemoryEngine } from './memory-container-engine.ts'

/** Detects projects like the real builder, but builds nothing. */
export function createDetectingBuilder(git: Git): ImageBuilder {
  const { detect } = createBuiltinBuilder({
    git,
    engine: createMemoryEngine(),
    images: { node: 'node:24', python: 'python:3.13', static: 'caddy:2', php: 'php:8.2' },
    limits: { memoryBytes: 1, cpus: 1, pids: 1, contextBytes: 1 }
  })
  return { detect, build: () => Promise.reject(new Error('API tests build nothing')) }
}
