/* What every page loads; each part looks whether the page has what it is for. */
import "./live.js";
import "./pictures.js";
import "./new.js";
