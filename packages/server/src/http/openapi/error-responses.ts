import { type ErrorCode, errorStatus } from '@panel/contract/errors'
import type { Components, Response } from './document.types.ts'
import { errorSentences } from './error-sentences.ts'

export function errorResponses(codes: readonly ErrorCode[]): Record<string, Response> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code])
  return Object.fromEntries(
    [...byStatus].map(([status, own]) => [
      status,
      {
        description: own.map((code) => `\`${code}\`: ${errorSentences[code]}.`).join('\n\n'),
        ...(status === 429 || status === 503 ? { headers: { 'Retry-After': headerReference('Retry-After') } } : {}),
        content: {
          'application/json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Error' },
                { type: 'object', properties: { code: { type: 'string', enum: own } }, required: ['code'] }
              ]
            },
            examples: Object.fromEntries(own.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
          }
        }
      }
    ])
  )
}

export const headerReference = (name: string) => ({ $ref: `#/components/headers/${name}` })

export const errorExamples: NonNullable<Components['examples']> = Object.fromEntries(
  Object.entries(errorSentences).map(([code, error]) => [code, { summary: error, value: { error, code } }])
)
