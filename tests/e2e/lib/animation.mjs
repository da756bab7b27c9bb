// Writes screenshots as an animated PNG with one palette, each frame only where it differs.
import zlib from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_COLORS = 256;

/** An animated PNG of `frames`, each `{ png, ms }` of the same size. It stops after `plays` rounds. */
export function animation(frames, plays = 3) {
  const images = frames.map(({ png }) => decode(png));
  const { width, height } = images[0];
  const palette = paletteOf(images);
  const indexOf = nearest(palette);
  const out = [
    SIGNATURE,
    chunk("IHDR", uint32(width), uint32(height), Buffer.from([8, 3, 0, 0, 0])),
    chunk("acTL", uint32(frames.length), uint32(plays)),
    chunk("PLTE", Buffer.from(palette.flat())),
  ];
  let number = 0;
  let previous;
  images.forEach(({ colors }, at) => {
    const pixels = Uint8Array.from(colors, indexOf);
    const [left, top, right, bottom] = changed(previous, pixels, width, height);
    const rows = [];
    for (let y = top; y < bottom; y++) {
      rows.push(Buffer.from([0]), pixels.subarray(y * width + left, y * width + right));
    }
    const data = zlib.deflateSync(Buffer.concat(rows), { level: 9 });
    const place = [right - left, bottom - top, left, top].map(uint32);
    out.push(chunk("fcTL", uint32(number++), ...place, uint16(frames[at].ms), uint16(1000), Buffer.from([0, 0])));
    out.push(at === 0 ? chunk("IDAT", data) : chunk("fdAT", uint32(number++), data));
    previous = pixels;
  });
  return Buffer.concat([...out, chunk("IEND")]);
}

/** The colors of a PNG with 8 bits and without interlacing, as 0xRRGGBB. */
function decode(png) {
  const data = [];
  let header;
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    const type = png.toString("latin1", at + 4, at + 8);
    header ??= body;
    if (type === "IDAT") {
      data.push(body);
    }
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const step = { 2: 3, 6: 4 }[header[9]];
  const raw = zlib.inflateSync(Buffer.concat(data));
  const size = width * step;
  let above = new Uint8Array(size);
  const colors = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = raw.subarray(y * (size + 1) + 1, (y + 1) * (size + 1));
    unfilter(raw[y * (size + 1)], row, above, step);
    for (let x = 0; x < width; x++) {
      colors[y * width + x] = (row[x * step] << 16) | (row[x * step + 1] << 8) | row[x * step + 2];
    }
    above = row;
  }
  return { width, height, colors };
}

function unfilter(filter, row, above, step) {
  for (let x = 0; x < row.length; x++) {
    const left = x < step ? 0 : row[x - step];
    const corner = x < step ? 0 : above[x - step];
    row[x] += [0, left, above[x], (left + above[x]) >> 1, paeth(left, above[x], corner)][filter];
  }
}

function paeth(left, up, corner) {
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(left + up - corner - value));
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** At most 256 colors: the most frequent ones, as far apart as needed. */
function paletteOf(images) {
  const counts = new Map();
  for (const { colors } of images) {
    for (const color of colors) {
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
  }
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).map(([color]) => split(color));
  for (let apart = 0; ; apart = apart * 1.5 + 1) {
    const chosen = [];
    for (const color of frequent) {
      if (!chosen.some((other) => distance(color, other) <= apart * apart) && chosen.push(color) > MAX_COLORS) {
        break;
      }
    }
    if (chosen.length <= MAX_COLORS) {
      return chosen;
    }
  }
}

/** Returns a function from a color to the index of the nearest one in `palette`. */
function nearest(palette) {
  const known = new Map();
  return (color) => {
    if (!known.has(color)) {
      const all = palette.map((other) => distance(split(color), other));
      known.set(color, all.indexOf(Math.min(...all)));
    }
    return known.get(color);
  };
}

const split = (color) => [color >> 16, (color >> 8) & 255, color & 255];
const distance = (a, b) => a.reduce((sum, value, at) => sum + (value - b[at]) ** 2, 0);

/** The rectangle [left, top, right, bottom] of the pixels that differ; one pixel if none does. */
function changed(before, now, width, height) {
  if (!before) {
    return [0, 0, width, height];
  }
  let box = [width, height, 0, 0];
  now.forEach((value, at) => {
    if (value !== before[at]) {
      const [x, y] = [at % width, Math.floor(at / width)];
      box = [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x + 1), Math.max(box[3], y + 1)];
    }
  });
  return box[2] === 0 ? [0, 0, 1, 1] : box;
}

function chunk(type, ...parts) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), ...parts]);
  return Buffer.concat([uint32(body.length - 4), body, uint32(zlib.crc32(body))]);
}

function uint32(value) {
  const out = Buffer.alloc(4);
  out.writeUInt32BE(value);
  return out;
}

function uint16(value) {
  return uint32(value).subarray(2);
}
