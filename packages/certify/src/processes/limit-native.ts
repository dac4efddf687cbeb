import sharp from 'sharp'

/**
 * Native code knows no permission model, so a parsing process keeps as little of it as it can: of libvips the readers of the
 * two kinds of images that are taken, whatever else a file may look like to it, and no way to load a library that a file
 * brought along. It is called once all that is needed has been loaded.
 */
export function limitNative(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg'] })
  process.dlopen = () => {
    throw new Error('no further native code is loaded here')
  }
}
