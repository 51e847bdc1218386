// Makes JPEGs of pictures, so that the page's own thread is free to draw. A classic script: old browsers have no modules here.

const canvas = new OffscreenCanvas(1, 1);
const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });

self.onmessage = async ({ data }) => {
  if (data === null) {
    self.close();
    return;
  }
  const { picture, width, height, quality } = data;
  try {
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    context?.drawImage(picture, 0, 0, width, height);
    picture.close();
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality });
    const jpeg = await blob.arrayBuffer();
    self.postMessage(jpeg, [jpeg]);
  } catch (error) {
    picture.close();
    self.postMessage(String(error));
  }
};
