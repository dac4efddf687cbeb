/** A word and a bar, 160 pixels wide and high, packed as a fax of group 4 (ITU-T T.6). */
export const FAX: Buffer = Buffer.from(
  '//////8oEIcdRk4zgObCwweEXDCLdhsMggVNjTQQdBB5p2bg+3KH10/4b/t+vvv9fHHHb713f/Xbht55d/XYcH+/62DDDj/hJWw2GH/iF4Nh5u' +
    '/mDFhw3/9Hn3x0v7v/6bPLNrydf1/tddL/r1+l6bhpQ1/CUIGCBgg4hMQghghCiIiIj//////5OBZ///////////////////4///4AIAI=',
  'base64',
)
