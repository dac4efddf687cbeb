import { PAPER_WORDS } from '../../paper-words.ts'
import { make } from '../element.ts'
import { decode, detect, drawPixels } from './read-picture.ts'

/** Pixels of the longer side that a frame is looked at with. */
const FRAME_SIDE = 1280
const BETWEEN_FRAMES_MS = 120
const FRAME_MS = 80

/** A button that opens the camera until it has read a code. @param onText Takes what the code says. */
export function makeCamera(onText: (text: string) => void): HTMLElement {
  const button = make('button', { type: 'button' }, PAPER_WORDS.cameraStart)
  const note = make('p', { class: 'fault', role: 'alert' })
  const place = make('div', { class: 'camera' })
  let stop: (() => void) | undefined

  function close(): void {
    stop?.()
    stop = undefined
    place.replaceChildren()
    button.replaceChildren(PAPER_WORDS.cameraStart)
  }

  async function open(): Promise<void> {
    note.replaceChildren()
    button.disabled = true
    try {
      const stream = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: 'environment', width: { ideal: 1920 } },
      })
      const video = make('video', { autoplay: '', playsinline: '', 'aria-label': PAPER_WORDS.cameraPicture })
      video.muted = true
      video.srcObject = stream
      place.replaceChildren(video, make('p', { class: 'hint' }, PAPER_WORDS.cameraHint))
      button.replaceChildren(PAPER_WORDS.cameraStop)
      stop = watch(video, (text) => {
        close()
        onText(text)
      })
    } catch (error) {
      // refused by the person, by a rule of the page or the device, or there is none
      console.warn(error)
      note.replaceChildren(PAPER_WORDS.cameraOff)
    } finally {
      button.disabled = false
    }
  }

  button.addEventListener('click', () => (stop ? close() : void open()))
  return make('div', { class: 'field' }, button, note, place)
}

/** Looks at one frame after the other. @returns what ends it, and gives the camera back. */
function watch(video: HTMLVideoElement, onText: (text: string) => void): () => void {
  let isOver = false
  const look = async (): Promise<void> => {
    if (isOver) return
    const text = video.videoWidth > 0 ? await readFrame(video) : undefined
    if (isOver) return
    if (text === undefined) setTimeout(() => void look(), BETWEEN_FRAMES_MS)
    else onText(text)
  }
  void look()
  return () => {
    isOver = true
    for (const track of (video.srcObject as MediaStream).getTracks()) track.stop()
  }
}

async function readFrame(video: HTMLVideoElement): Promise<string | undefined> {
  const { videoWidth: width, videoHeight: height } = video
  const scale = Math.min(1, FRAME_SIDE / Math.max(width, height))
  return (await detect(video)) ?? decode(drawPixels(video, width * scale, height * scale), FRAME_MS)
}
