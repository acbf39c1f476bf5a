import { AdapterError } from '../adapter-error.ts'

export const unavailable = (sentence: string, options?: ErrorOptions & { reason?: string }): AdapterError =>
  new AdapterError('container-engine-unavailable', sentence, options)
