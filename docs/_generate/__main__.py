"""Write the generated pages of the guide."""

from docs._generate import FOLDER, gallery, write

if __name__ == "__main__":
    write()
    gallery.write(FOLDER / "gallery")
