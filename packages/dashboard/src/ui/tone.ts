/** What a colour means. Each has a shape of its own too, so that nobody needs to see colours. */
export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'idle'
