import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { bytes, whole } from './values.ts'

/** Builds of images, and the disk that they take. */
export const buildVariables = {
  BUILDER: z.enum(['builtin', 'nixpacks', 'railpack']).default('builtin'),
  BUILDKIT_HOST: z.string().optional(),
  BUILD_IMAGE_PREFIX: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._/-]{0,60}$/)
    .default('panel'),
  BUILD_IMAGE_NODE: z.string().default('node:20-bookworm-slim'),
  BUILD_IMAGE_COMPILERS: z.string().optional(),
  BUILD_IMAGE_PYTHON: z.string().default('python:3.11-slim-bookworm'),
  BUILD_IMAGE_STATIC: z.string().default('caddy:2'),
  BUILD_IMAGE_PHP: z.string().default('php:8.2-apache'),
  BUILD_CPU_LIMIT: z.coerce
    .number()
    .min(0.01)
    .max(1024)
    .default(Math.max(1, availableParallelism() - 1)),
  BUILD_MEMORY_LIMIT: z.string().default('2g').pipe(bytes),
  BUILD_PIDS_LIMIT: whole(32, 100_000).default(1024),
  BUILD_TIMEOUT: whole(10, 86_400).default(1800),
  BUILD_CONCURRENCY: whole(1, 64).default(Math.max(1, Math.floor(availableParallelism() / 2))),
  BUILD_CONTEXT_MAX: z.string().default('1g').pipe(bytes),
  BUILD_LOGS_KEPT: whole(1, 1000).default(20),
  ACCOUNT_LOG_LIMIT: z.string().default('100m').pipe(bytes),
  IMAGE_DISK_BUDGET: z.string().default('20g').pipe(bytes),
  MIN_FREE_DISK: z.string().default('2g').pipe(bytes)
}
