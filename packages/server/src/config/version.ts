import manifest from '../../package.json' with { type: 'json' }

/** Of this release. */
export const VERSION: string = manifest.version
