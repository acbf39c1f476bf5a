/** Each tone also has its own shape, so that color is never the only signal. */
export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'idle'
